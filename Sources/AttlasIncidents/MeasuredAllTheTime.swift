/// Measurements of the Bluetooth SIG that are notified in regular intervals, about once a second.
package let measuredAllTheTime: Set<UInt16> = [
    0x2A37,  // Heart Rate Measurement
    0x2A53,  // RSC Measurement
    0x2A5B,  // CSC Measurement
    0x2A5F,  // PLX Continuous Measurement
    0x2A63,  // Cycling Power Measurement
    0x2A67,  // Location and Speed
    0x2ACD, 0x2ACE, 0x2ACF, 0x2AD0, 0x2AD1, 0x2AD2,  // the data of fitness machines
]
