import AttlasWire

/// Valid packets, which a mutation inserts between others, so that the layers above are reached.
enum PacketTemplates {
    static let handles: [UInt16] = [0x0040, 0x0041, 0x0001, 0x0EFF]

    static func any(_ generator: inout SeededGenerator) -> RecordList.Entry {
        switch generator.below(8) {
        case 0, 1, 2: attribute(&generator)
        case 3: event(&generator)
        case 4: signal(&generator)
        case 5: pairing(&generator)
        case 6: command(&generator)
        default: fragment(&generator)
        }
    }

    static func acl(_ handle: UInt16, channel: UInt16, _ payload: [UInt8], _ direction: Direction) -> RecordList.Entry {
        let length = payload.count
        let boundary: UInt16 = direction == .tx ? 0x0000 : 0x2000
        return RecordList.Entry(
            .acl, direction,
            little(handle & 0x0FFF | boundary) + little(length + 4) + little(length) + little(channel) + payload)
    }

    static func little(_ value: some BinaryInteger) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    private static func octets(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in generator.octet() }
    }

    private static func side(_ generator: inout SeededGenerator) -> Direction {
        generator.pick([.tx, .rx, .rx, .tx, .tx, .rx, .unknown])
    }

    // MARK: ATT

    private static func attribute(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let channel: UInt16 = generator.once(in: 8) ? 0x0040 + UInt16(generator.below(4)) : 0x0004
        var pdu = attributePDU(&generator)
        if channel != 0x0004 { pdu = little(pdu.count) + pdu }
        return acl(generator.pick(handles), channel: channel, pdu, side(&generator))
    }

    private static func attributePDU(_ generator: inout SeededGenerator) -> [UInt8] {
        let handle = little(generator.below(40))
        let types: [UInt16] = [
            0x2800, 0x2801, 0x2802, 0x2803, 0x2901, 0x2902, 0x2904, 0x2A00, 0x2A37, 0x2A19, 0x2A4D, 0x2A4B, 0x2B2A,
            0x2ABE, 0x2AC0, 0x2AC5, 0x2AC6, 0x2ADE,
        ]
        let type = little(generator.pick(types))
        switch generator.below(23) {
        case 0: return [0x01, generator.octet()] + handle + [generator.octet()]
        case 1: return [0x02] + little(generator.pick([23, 185, 247, 517, 0, 65535]))
        case 2: return [0x03] + little(generator.pick([23, 185, 247, 517, 0, 65535]))
        case 3: return [0x04] + handle + little(0xFFFF)
        case 4: return [0x05, 0x01] + handle + type + handle + type
        case 5: return [0x06] + handle + little(0xFFFF) + little(0x2800) + type
        case 6: return [0x07] + handle + handle
        case 7: return [0x08] + handle + little(0xFFFF) + type
        case 8: return [0x09, 0x07] + handle + [generator.octet()] + handle + type
        case 9: return [0x0A] + handle
        case 10: return [generator.pick([0x0B, 0x0F])] + octets(generator.pick([0, 1, 7, 22, 246]), &generator)
        case 11: return [0x0C] + handle + little(generator.pick([0, 22, 44, 246, 512]))
        case 12: return [0x0D] + octets(generator.pick([0, 1, 22, 246]), &generator)
        case 13: return [0x10] + handle + little(0xFFFF) + little(0x2800)
        case 14: return [0x11, 0x06] + handle + little(0x0030) + type
        case 15: return [0x12] + handle + little(generator.below(4))
        case 16:
            return [generator.pick([0x16, 0x17])] + handle + little(generator.pick([0, 18, 36, 512]))
                + octets(18, &generator)
        case 17: return [0x18, generator.pick([0, 1, 2])]
        case 18: return [generator.pick([0x1B, 0x1D, 0x52])] + handle + octets(generator.below(24), &generator)
        case 19: return [generator.pick([0x0E, 0x20])] + handle + handle
        case 20:
            return [generator.pick([0x21, 0x23])] + handle + little(3) + octets(3, &generator) + handle + little(9)
        case 21:
            // Read, and Write, of an object; the response to that.
            return generator.pick([
                [0x12] + handle + [generator.pick([5, 6])] + [UInt8](repeating: 0, count: 4) + [
                    generator.octet(), 0, 0, 0, 0,
                ],
                [0x1D] + handle + [0x60, generator.pick([5, 6]), 1],
            ])
        default: return [generator.pick([0x13, 0x19, 0x1E, 0xD2, 0xFF])] + octets(generator.below(16), &generator)
        }
    }

    // MARK: L2CAP and SMP

    private static func signal(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let identifier = UInt8(1 + generator.below(3))
        let channel = little(0x0040 + generator.below(4))
        let body: [UInt8] =
            switch generator.below(8) {
            case 0: channel + little(generator.pick([0x0027, 0x0080, 0x0025])) + little(64) + little(64) + little(1)
            case 1: little(64) + little(64) + little(10) + little(0) + channel
            case 2: little(0x0027) + channel + little(247) + little(64) + little(10)
            case 3: channel + little(247) + little(64) + little(10) + little(0)
            case 4: channel + little(generator.pick([1, 65535]))
            case 5: channel + channel
            case 6: little(6) + little(12) + little(0) + little(500)
            default: octets(generator.below(24), &generator)
            }
        let codes: [UInt8] = [0x17, 0x18, 0x14, 0x15, 0x16, 0x06, 0x12, generator.octet()]
        let code = generator.once(in: 4) ? generator.octet() : codes[min(7, generator.below(8))]
        return acl(
            generator.pick(handles), channel: generator.pick([0x0005, 0x0005, 0x0001]),
            [code, identifier] + little(body.count) + body, side(&generator))
    }

    private static func pairing(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let code = UInt8(generator.below(0x0F))
        let lengths = [0, 6, 6, 16, 16, 1, 16, 10, 16, 7, 16, 1, 64, 16, 1]
        return acl(
            generator.pick(handles), channel: 0x0006, [code] + octets(lengths[Int(code)], &generator), side(&generator))
    }

    /// The continuation of a frame.
    private static func fragment(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let rest = octets(generator.below(30), &generator)
        return RecordList.Entry(
            .acl, side(&generator), little(generator.pick(handles) | 0x1000) + little(rest.count) + rest)
    }

    // MARK: HCI

    private static func event(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let handle = little(generator.pick(handles))
        let address = octets(5, &generator) + [generator.pick([0xC0, 0x40, 0x00])]
        func leEvent(_ parameters: [UInt8]) -> [UInt8] { [0x3E, UInt8(parameters.count)] + parameters }
        let name = Array("HRM-\u{202E}7".utf8)
        let data: [UInt8] = [2, 1, 6, UInt8(name.count + 1), 9] + name + [5, 0xFF, 0x4C, 0, 2, 0x15]
        let octets: [UInt8] =
            switch generator.below(12) {
            case 0, 1:
                leEvent(
                    [0x01, 0] + handle + [generator.pick([0, 1]), 1] + address + little(24) + little(0) + little(72) + [
                        0
                    ])
            case 2: [0x05, 0x04, 0] + handle + [0x13]
            case 3:
                leEvent([0x02, 1, generator.pick([0, 3, 4]), 1] + address + advertised(data, &generator) + [0xC8])
            case 4:
                leEvent(
                    [0x0D, 1] + little(generator.pick([0x0013, 0x0020, 0x0040])) + [1] + address + [
                        1, 0, 1, 0x7F, 0xC8,
                    ]
                        + little(0) + [0] + [UInt8](repeating: 0, count: 6) + [UInt8(data.count)] + data)
            case 5: leEvent([0x03, 0] + handle + little(12) + little(0) + little(500))
            case 6:
                leEvent(
                    [0x0A, 0] + handle + [0, 1] + address + [UInt8](repeating: 0, count: 12) + little(24) + little(0)
                        + little(72) + [0])
            case 7: [0x08, 0x04, 0] + handle + [1]
            case 8: [0x13, 0x05, 0x01] + handle + little(1)
            case 9: leEvent([0x07] + handle + little(251) + little(2120) + little(251) + little(2120))
            case 10: [0x0E, 0x0A, 1] + little(0x1009) + [0] + address
            default: [generator.octet()] + [UInt8(data.count)] + data
            }
        return RecordList.Entry(.event, .rx, octets)
    }

    /// Advertised data, after its length: `data`, or a mesh PDU of the network with `meshKey`, as it is or with an octet changed.
    private static func advertised(_ data: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        guard generator.once(in: 2) else { return [UInt8(data.count)] + data }
        let isMessage = generator.once(in: 2)
        var type: UInt8 = isMessage ? 0x2A : 0x2B
        var pdu = isMessage ? meshMessage : meshBeacon
        if generator.once(in: 2) { pdu[generator.below(pdu.count)] = generator.octet() }
        if generator.once(in: 8) { type = 0x29 }
        return [UInt8(pdu.count + 2), UInt8(pdu.count + 1), type] + pdu
    }

    /// Mesh Protocol 1.1, 8.2, 8.3.6 and 8.4.3.
    static let meshKey: UInt128 = 0x7DD7_364C_D842_AD18_C17C_2B82_0C84_C3D6
    private static let meshMessage: [UInt8] = [
        0x68, 0xCA, 0xB5, 0xC5, 0x34, 0x8A, 0x23, 0x0A, 0xFB, 0xA8, 0xC6, 0x3D, 0x4E, 0x68, 0x63, 0x64, 0x97, 0x9D,
        0xEA,
        0xF4, 0xFD, 0x40, 0x96, 0x11, 0x45, 0x93, 0x9C, 0xDA, 0x0E,
    ]
    private static let meshBeacon: [UInt8] = [
        0x01, 0x00, 0x3E, 0xCA, 0xFF, 0x67, 0x2F, 0x67, 0x33, 0x70, 0x12, 0x34, 0x56, 0x78, 0x8E, 0xA2, 0x61, 0x58,
        0x2F,
        0x36, 0x4F, 0x6F,
    ]

    private static func command(_ generator: inout SeededGenerator) -> RecordList.Entry {
        let opcodes: [UInt16] = [0x200D, 0x2027, 0x2008, 0x2005, 0x0406, 0x2019, 0x2013, 0x2043, 0x2037, 0x0C03]
        let parameters = octets(generator.pick([0, 1, 3, 7, 16, 25, 32, 39]), &generator)
        return RecordList.Entry(.command, .tx, little(generator.pick(opcodes)) + [UInt8(parameters.count)] + parameters)
    }
}
