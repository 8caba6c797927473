/// The conditions of an LE connection, and the throughput that they allow.
package struct LinkConditions: Sendable, Equatable {
    /// From one connection event that is used to the next.
    package let intervalMicroseconds: Int
    /// The longest connection event: up to the next anchor point, also where that event is not used. Vol 6, Part B, 4.5.1.
    let eventMicroseconds: Int
    package let mtu: Int
    /// Number of the PHY of the data, and of the packets that acknowledge them: 1 LE 1M, 2 LE 2M, 3 LE Coded.
    package let phy: UInt8
    let reversePHY: UInt8
    /// Octets of the longest Link Layer payload, without its Message Integrity Code.
    package let dataLength: Int
    package let isEncrypted: Bool
    /// Microseconds after a packet and after its acknowledgement. Core Specification, Vol 6, Part B, 4.1.1.
    let frameSpaces: Int

    init(
        intervalMicroseconds: Int, eventMicroseconds: Int? = nil, mtu: Int, phy: UInt8, reversePHY: UInt8,
        dataLength: Int, isEncrypted: Bool, frameSpaces: Int = 300
    ) {
        self.intervalMicroseconds = intervalMicroseconds
        self.eventMicroseconds = eventMicroseconds ?? intervalMicroseconds
        self.mtu = mtu
        self.phy = phy
        self.reversePHY = reversePHY
        self.dataLength = dataLength
        self.isEncrypted = isEncrypted
        self.frameSpaces = frameSpaces
    }

    /// Octets of the longest attribute value. Vol 3, Part F, 3.2.9.
    private static let longestValue = 512

    /// Value octets in one notification or write command that fills the MTU.
    var valueOctets: Int { min(mtu - 3, Self.longestValue) }

    /// Value octets in a second when notifications, or write commands, fill the MTU and every connection event, each packet
    /// is acknowledged by an empty one, and none is sent twice; nil if there is no such number.
    ///
    /// Packets follow one another from the beginning of each connection event. One that does not fit with its
    /// acknowledgement waits for the next event.
    package var allowedOctetsPerSecond: Double? {
        let interval = intervalMicroseconds
        guard valueOctets > 0, dataLength > 0, interval > 0 else { return nil }
        // ATT header of 3 octets, L2CAP header of 4.
        let pdu = valueOctets + 3 + 4
        let count = (pdu + dataLength - 1) / dataLength
        let full = exchange(min(dataLength, pdu))
        let last = exchange(pdu - (count - 1) * dataLength)
        let whole = full * (count - 1) + last
        guard max(full, last) <= eventMicroseconds else { return nil }

        // Which packet an event begins with decides all that follows, so that the pattern repeats.
        var firstEvent = [Int?](repeating: nil, count: count)
        var pdusBefore = [0]
        var packet = 0
        var pdus = 0
        while firstEvent[packet] == nil {
            firstEvent[packet] = pdusBefore.count - 1
            var rest = eventMicroseconds
            while rest >= (packet == count - 1 ? last : full) {
                if packet == 0, rest >= whole {
                    pdus += rest / whole
                    rest %= whole
                    continue
                }
                rest -= packet == count - 1 ? last : full
                packet += 1
                if packet == count {
                    packet = 0
                    pdus += 1
                }
            }
            pdusBefore.append(pdus)
        }
        let begin = firstEvent[packet] ?? 0
        let events = pdusBefore.count - 1 - begin
        return Double((pdus - pdusBefore[begin]) * valueOctets) * 1e6 / Double(events * interval)
    }

    /// Microseconds of a packet with its acknowledgement.
    private func exchange(_ payload: Int) -> Int {
        let integrityCheck = isEncrypted ? 4 : 0
        return Self.duration(payload + integrityCheck, phy) + Self.duration(0, reversePHY) + frameSpaces
    }

    /// Microseconds of a Link Layer packet with a payload of this length. Vol 6, Part B, 2.1 and 2.2. LE Coded counts with
    /// S = 2, because HCI does not distinguish it from S = 8.
    private static func duration(_ payload: Int, _ phy: UInt8) -> Int {
        switch phy {
        // Preamble 2, access address 4, header 2, CRC 3 octets, of 4 µs each.
        case 2: (2 + 4 + 2 + payload + 3) * 4
        // Preamble, access address, coding indicator and termination at S = 8, then 16 µs for an octet, and termination.
        case 3: 80 + 256 + 16 + 24 + (2 + payload + 3) * 16 + 6
        // Preamble 1, access address 4, header 2, CRC 3 octets, of 8 µs each.
        default: (1 + 4 + 2 + payload + 3) * 8
        }
    }
}
