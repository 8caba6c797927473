/// The bits of the FeatureSet. Core Specification, Vol 6, Part B, 4.6.
package enum LinkLayerFeature {
    private static let names = [
        "LE Encryption", "Connection Parameters Request Procedure", "Extended Reject Indication",
        "Peripheral-initiated Features Exchange", "LE Ping", "LE Data Packet Length Extension", "LL Privacy",
        "Extended Scanner Filter Policies", "LE 2M PHY", "Stable Modulation Index - Transmitter",
        "Stable Modulation Index - Receiver", "LE Coded PHY", "LE Extended Advertising", "LE Periodic Advertising",
        "Channel Selection Algorithm #2", "LE Power Class 1", "Minimum Number of Used Channels Procedure",
        "Connection CTE Request", "Connection CTE Response", "Connectionless CTE Transmitter",
        "Connectionless CTE Receiver", "Antenna Switching During CTE Transmission (AoD)",
        "Antenna Switching During CTE Reception (AoA)", "Receiving Constant Tone Extensions",
        "Periodic Advertising Sync Transfer - Sender", "Periodic Advertising Sync Transfer - Recipient",
        "Sleep Clock Accuracy Updates", "Remote Public Key Validation", "Connected Isochronous Stream - Central",
        "Connected Isochronous Stream - Peripheral", "Isochronous Broadcaster", "Synchronized Receiver",
        "Connected Isochronous Stream (Host Support)", "LE Power Control Request", "LE Power Control Request",
        "LE Path Loss Monitoring", "Periodic Advertising ADI support", "Connection Subrating",
        "Connection Subrating (Host Support)", "Channel Classification", "Advertising Coding Selection",
        "Advertising Coding Selection (Host Support)", "Decision-Based Advertising Filtering",
        "Periodic Advertising with Responses - Advertiser", "Periodic Advertising with Responses - Scanner",
        "Unsegmented Framed Mode", "Channel Sounding", "Channel Sounding (Host Support)",
        "Channel Sounding Tone Quality Indication",
    ]

    /// Those that are set; a bit without a name by its number.
    package static func names(_ features: UInt64) -> [String] {
        var set: [String] = []
        for bit in 0..<64 where features >> UInt64(bit) & 1 == 1 {
            // Two bits mean the same together. 4.6.32.
            if bit == 34, features >> 33 & 1 == 1 { continue }
            set.append(bit < names.count ? names[bit] : "bit \(bit)")
        }
        return set
    }
}
