import AttlasWire

/// Headers that sniffers put before a packet from the air. The multi-octet fields are little-endian.
extension PacketHead {
    @inline(never)
    init(air framing: PacketFraming, _ bytes: borrowing Bytes) {
        switch framing {
        case .linkLayerWithPHDR: self.init(linkLayerWithPHDR: bytes)
        case .nordicSniffer: self.init(nordicSniffer: bytes)
        case .ppi: self.init(ppi: bytes)
        default: self.init(.air(RadioInfo()), .unknown)
        }
    }

    /// Length of the header of LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.
    static let pseudoHeaderLength = 10

    /// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
    ///
    /// ```
    ///  0            1              2             3              4                              8           10
    /// +------------+--------------+-------------+--------------+------------------------------+-----------+----
    /// | RF Channel | Signal Power | Noise Power | AA Offenses  | Reference Access Address (4) | Flags (2) | packet …
    /// +------------+--------------+-------------+--------------+------------------------------+-----------+----
    /// ```
    @inline(__always)
    init(linkLayerWithPHDR bytes: borrowing Bytes) {
        guard bytes.count > Self.pseudoHeaderLength else {
            self.init(tooShort: bytes)
            return
        }
        let flags = bytes.uint16(at: 8)
        func has(_ bit: UInt16) -> Bool { flags & bit != 0 }
        guard has(0x0001) || Self.isPlain(bytes.dropFirst(Self.pseudoHeaderLength)) else {
            self.init(.broken(CaptureFault(.whitened, offset: 0)), .unknown, length: Self.pseudoHeaderLength)
            return
        }
        var radio = RadioInfo()
        var direction = Direction.unknown
        radio.channel = RadioInfo.channelIndex(rf: bytes[0])
        if has(0x0002) { radio.rssi = bytes.int8(at: 1) }
        if has(0x0400) { radio.crc = has(0x0800) ? .ok : .bad }
        radio.isDecrypted = has(0x0008)
        switch flags >> 7 & 0b111 {
        case 1: radio.kind = .auxiliaryAdvertising
        case 2: (radio.kind, direction) = (.data, .tx)
        case 3: (radio.kind, direction) = (.data, .rx)
        case 4: (radio.kind, direction) = (.connectedIsochronous, .tx)
        case 5: (radio.kind, direction) = (.connectedIsochronous, .rx)
        case 6: radio.kind = .broadcastIsochronous
        default: break
        }
        // On the secondary advertising channels these bits give the kind of the PDU.
        if radio.kind == .auxiliaryAdvertising {
            radio.auxiliaryPDU = RadioInfo.AuxiliaryPDU(rawValue: UInt8(flags >> 12 & 0b11))
        } else if has(0x1000) {
            radio.mic = has(0x2000) ? .ok : .bad
        }
        let phy = UInt8(flags >> 14)
        if phy < 3 { radio.phy = LEPHY(rawValue: phy + 1) }
        self.init(.air(radio), direction, length: Self.pseudoHeaderLength)
    }

    /// Whether a packet that is marked as whitened is not, as programs write it that leave the flags out: with a right CRC, or in a
    /// connection with the right length; then `Trace` knows the CRCInit.
    @inline(never)
    private static func isPlain(_ bytes: Bytes) -> Bool {
        guard let packet = try? LinkLayerPacket(bytes), let crc = packet.crc, packet.excess == 0 else { return false }
        return !packet.isAdvertising
            || LinkLayerCRC.crc(of: packet.pdu, initial: LinkLayerCRC.advertisingInit) == crc
    }

    /// Nordic's sniffer, its protocol versions 0 to 3. After both heads there are ten octets more.
    ///
    /// ```
    /// version 0:  | BE EF | packet id | counter (2) | unused (2) | payload length |
    /// later:      | board | lengths (2) | version | counter (2) | packet id | length 10 |
    /// then        | flags | channel | RSSI | event counter (2) | time (4) | packet …
    /// ```
    init(nordicSniffer bytes: borrowing Bytes) {
        guard bytes.count >= 8 else {
            self.init(tooShort: bytes)
            return
        }
        let isOldest = bytes[0] == 0xBE && bytes[1] == 0xEF
        let version = isOldest ? 0 : bytes[3]
        guard version <= 3 else {
            self.init(.broken(CaptureFault(.nordicProtocol(version), offset: 0)), .unknown, length: 7)
            return
        }
        let identifier = isOldest ? bytes[2] : bytes[6]
        // 0x06 is a packet; from version 3 on 0x02 is one of advertising. The others are messages between the sniffer and its host.
        let isNordic = identifier == 0x06 || identifier == 0x02 && version == 3
        guard isNordic || version >= 2 && Self.isPacket(ofOtherTool: bytes) else {
            self.init(.unknownPacket(type: identifier), .unknown, length: isOldest ? 8 : 7)
            return
        }
        guard bytes.count > 17 else {
            self.init(tooShort: bytes)
            return
        }
        let flags = bytes[8]
        var radio = RadioInfo()
        radio.channel = bytes[9] < 40 ? bytes[9] : nil
        // The register of the radio, which holds the value without its sign; 0 stands for none.
        radio.rssi = bytes[10] == 0 || bytes[10] > 127 ? nil : -Int8(bytes[10])
        radio.crc = flags & 0x01 != 0 ? .ok : .bad
        let phy = flags >> 4 & 0b111
        if phy < 3 { radio.phy = LEPHY(rawValue: phy + 1) }
        // Other tools leave out fields that they do not know.
        let isFilled = isNordic || bytes[9] != 0 || bytes[10] != 0 || bytes.uint16(at: 11) != 0
        if !isFilled { radio.channel = nil }
        let isData =
            version == 3 && isNordic
            ? identifier == 0x06
            : bytes.count >= 21 && bytes.uint32(at: 17) != LinkLayerPacket.advertisingAccessAddress
        guard isData else {
            if let channel = radio.channel, channel < 37 {
                radio.kind = .auxiliaryAdvertising
                radio.auxiliaryPDU = RadioInfo.AuxiliaryPDU(rawValue: flags >> 1 & 0b11)
            }
            self.init(.air(radio), .unknown, length: 17)
            return
        }
        radio.kind = .data
        if isFilled { radio.eventCounter = bytes.uint16(at: 11) }
        if flags & 0x04 != 0 {
            radio.mic = flags & 0x08 != 0 ? .ok : .bad
            // Without the key it cannot check the MIC.
            radio.isDecrypted = radio.mic == .ok
        }
        self.init(.air(radio), flags & 0x02 != 0 ? .tx : .rx, length: 17)
    }

    /// Whether a header with a packet id that Nordic's firmware does not send is valid otherwise, as programs other than sniffers write it.
    /// The firmware's messages 0x05, 0x09 and 0x0E are not packets.
    private static func isPacket(ofOtherTool bytes: borrowing Bytes) -> Bool {
        // The shortest packet has an Access Address and a header.
        guard bytes.count >= 17 + 6, bytes[7] == 10, Int(bytes.uint16(at: 1)) == bytes.count - 7, bytes[9] < 40 else {
            return false
        }
        return ![0x05, 0x09, 0x0E].contains(bytes[6])
    }

    /// PPI around LINKTYPE_BLUETOOTH_LE_LL, or around 147, which Ubertooth used before there was one; or around 256.
    ///
    /// ```
    ///  0         1       2            4         8
    /// +---------+-------+------------+---------+----            +----
    /// | Version | Flags | Length (2) | DLT (4) | fields …       | packet …
    /// +---------+-------+------------+---------+----            +----
    ///  a field: type 16 | length 16 | data …; type 30006 is Ubertooth's:
    ///  | version 8 | MHz 16 | clock, high 8 | clock in 100 ns 32 | RSSI max, min, mean 8 each | count 8 |
    /// ```
    init(ppi bytes: borrowing Bytes) {
        let length = bytes.count < 8 ? 0 : Int(bytes.uint16(at: 2))
        guard length >= 8, length <= bytes.count else {
            self.init(tooShort: bytes)
            return
        }
        let linkType = bytes.uint32(at: 4)
        switch linkType {
        case LinkType.bluetoothLELL.rawValue, 147: break
        case LinkType.bluetoothLELLWithPHDR.rawValue:
            self.init(linkLayerWithPHDR: bytes.dropFirst(length))
            self.length += length
            return
        default:
            self.init(.broken(CaptureFault(.ppiLinkType(linkType), offset: 0)), .unknown, length: length)
            return
        }
        var radio = RadioInfo()
        var offset = 8
        while offset + 4 <= length {
            let type = bytes.uint16(at: offset)
            let size = Int(bytes.uint16(at: offset + 2))
            guard offset + 4 + size <= length else { break }
            if type == 30_006, size >= 12 { radio.read(ubertooth: bytes.slice(offset + 4..<offset + 4 + size)) }
            offset += 4 + size
        }
        self.init(.air(radio), .unknown, length: length)
    }
}

extension RadioInfo {
    fileprivate mutating func read(ubertooth field: borrowing Bytes) {
        let frequency = Int(field.uint16(at: 1)) - 2402
        if frequency >= 0, frequency <= 78, frequency.isMultiple(of: 2) {
            channel = Self.channelIndex(rf: UInt8(frequency / 2))
        }
        // The mean of the radio's register, which is about 54 dB above the power in dBm (CC2400, RSSI register).
        if field[11] > 0 { rssi = Int8(clamping: Int(field.int8(at: 10)) - 54) }
        phy = LEPHY(rawValue: 1)
    }
}

extension RadioInfo {
    /// Notes in the pseudo-header of a packet that it is decrypted. Other headers have no place for it.
    ///
    /// - Parameters:
    ///   - start: Where the packet begins.
    ///   - length: Length of the header.
    func note(decryptionIn octets: inout [UInt8], before start: Int, framing length: Int) {
        if length == PacketHead.pseudoHeaderLength { octets[start - 2] |= 0x08 }
    }

    /// The LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR header of the packet. It has no room for the event counter.
    package func pseudoHeader(_ direction: Direction) -> [UInt8] {
        var flags: UInt16 = 0x0001
        if rssi != nil { flags |= 0x0002 }
        if isDecrypted { flags |= 0x0008 }
        let isSent = direction == .tx
        switch kind {
        case .unspecified: break
        case .auxiliaryAdvertising: flags |= 1 << 7 | UInt16(auxiliaryPDU?.rawValue ?? 0) << 12
        case .data: if direction != .unknown { flags |= (isSent ? 2 : 3) << 7 }
        case .connectedIsochronous: flags |= (isSent ? 4 : 5) << 7
        case .broadcastIsochronous: flags |= 6 << 7
        }
        if crc != .unchecked { flags |= crc == .ok ? 0x0C00 : 0x0400 }
        if mic != .unchecked { flags |= mic == .ok ? 0x3000 : 0x1000 }
        if let phy, (1...3).contains(phy.rawValue) { flags |= UInt16(phy.rawValue - 1) << 14 }
        return [
            Self.rfNumber(channel: channel), UInt8(bitPattern: rssi ?? 0), 0, 0, 0, 0, 0, 0,
            UInt8(truncatingIfNeeded: flags), UInt8(flags >> 8),
        ]
    }

    /// The format cannot represent an unknown channel: 255 means none.
    private static func rfNumber(channel: UInt8?) -> UInt8 {
        switch channel {
        case 37: 0
        case 38: 12
        case 39: 39
        case let channel? where channel <= 10: channel + 1
        case let channel? where channel <= 36: channel + 2
        default: 0xFF
        }
    }
}
