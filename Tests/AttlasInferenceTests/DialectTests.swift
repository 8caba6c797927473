import AttlasTestSupport
import Testing

@testable import AttlasInference

/// Messages of public specifications, and of encoders written for these tests.
@Suite struct DialectTests {
    /// RFC 8949, appendix A; RFC 7252, appendix A; msgpack.org; the Modbus specifications' examples; the article on COBS.
    @Test(arguments: [
        (Dialect.cbor, "a201020304"), (.cbor, "a26161016162820203"), (.cbor, "826161a161626163"),
        (.cbor, "bf61610161629f0203ffff"), (.cbor, "bf6346756ef563416d7421ff"), (.cbor, "8301820203820405"),
        (.messagePack, "82a7636f6d70616374c3a6736368656d6100"),
        (.coap, "40017d34bb74656d7065726174757265"), (.coap, "60457d34ff32322e332043"),
        (.modbus, "1103006b00037687"), (.modbus, "110500acff004e8b"), (.modbus, "111000010002 04000a0102c6f0"),
        (.cobs, "031122023300"), (.cobs, "0101010100"), (.slip, "c001db dc db dd02c0"),
        (.tuyaSerial, "55aa00000000ff"),
    ])
    func publishedMessages(_ dialect: Dialect, _ digits: String) {
        let octets = hex(digits)
        #expect(dialect.structure(of: octets[...]) != nil)
        // One octet less is none of it.
        #expect(dialect == .slip || dialect.structure(of: octets.dropLast()) == nil || dialect == .coap)
    }

    @Test(arguments: [
        (Dialect.cbor, "a2010203"), (.cbor, "f6"), (.cbor, "8201"), (.messagePack, "82a7636f6d70"),
        (.coap, "80017d34"), (.coap, "60457d34ff"), (.modbus, "1103006b00037688"), (.cobs, "0311000233 00"),
        (.slip, "c001db01c0"), (.protobuf, "0896"), (.protobuf, "089601"), (.tuyaSerial, "55aa00000000fe"),
        (.typeLengthValue, "01ff02"), (.json, "7b226122"), (.smp, "0200000100000000"),
    ])
    func whatIsNone(_ dialect: Dialect, _ digits: String) {
        #expect(dialect.structure(of: hex(digits)[...]) == nil)
    }

    @Test(arguments: Dialect.allCases) func messagesOfADevice(_ dialect: Dialect) throws {
        var random = SplitMix64(seed: 11)
        var series = ValueSeries()
        for frame in 1...60 {
            series.append(message(dialect, frame, &random), time: Int64(frame) * 100_000_000, frame: frame)
        }
        let found = try #require(DialectSearch(series).result())
        expect(found.dialect, equals: dialect)
        #expect(found.evidence.support * 20 >= found.evidence.total * 19)
    }

    private func octets(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private func message(_ dialect: Dialect, _ number: Int, _ random: inout SplitMix64) -> [UInt8] {
        let count = Int.random(in: 1...9, using: &random)
        let word = (0..<count).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
        switch dialect {
        case .json: return Array(#"{"id":\#(number),"name":"\#(String(decoding: word, as: UTF8.self))"}"#.utf8)
        case .at: return Array("AT+SET=\(number)\r\n".utf8)
        case .lines: return Array("T \(number * 37 % 100) \(count)\n".utf8)
        case .modbus:
            var crc: UInt16 = 0xFFFF
            let body = [1, 3, UInt8(2 * count)] + octets(2 * count, &random)
            for octet in body {
                crc ^= UInt16(octet)
                for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xA001 : crc >> 1 }
            }
            return body + [UInt8(crc & 0xFF), UInt8(crc >> 8)]
        case .tuyaSerial:
            let body = [0x55, 0xAA, 0x03, 0x07, 0, UInt8(count)] + octets(count, &random)
            return body + [UInt8(body.reduce(0) { $0 + Int($1) } & 0xFF)]
        case .tuya:
            let length = 17 + 16 * (count + 1)
            return (length < 0x80 ? [UInt8(length)] : [UInt8(length & 0x7F | 0x80), UInt8(length >> 7)]) + [0x30, 4]
                + octets(length - 1, &random)
        case .smp:
            return [2, 0, 0, UInt8(count + 5), 0, 0, UInt8(number), 0, 0xA1, 0x61, 0x64, 0x40 + UInt8(count + 1)]
                + octets(count + 1, &random)
        case .coap:
            return [0x42, 1, 0x10, UInt8(number)] + octets(2, &random) + [0xB0 | UInt8(count)] + word + [
                0x11, UInt8(count),
            ]
        case .slip:
            return octets(count + 4, &random).flatMap { $0 == 0xC0 ? [0xDB, 0xDC] : $0 == 0xDB ? [0xDB, 0xDD] : [$0] }
                + [0xC0]
        case .cobs:
            var encoded: [UInt8] = []
            var block: [UInt8] = []
            for octet in octets(6, &random) + [0] + octets(count, &random) {
                if octet == 0 {
                    encoded += [UInt8(block.count + 1)] + block
                    block = []
                } else {
                    block.append(octet)
                }
            }
            return encoded + [UInt8(block.count + 1)] + block + [0]
        case .cbor: return [0xA2, 0x01, 0x18, UInt8(24 + number), 0x02, 0x60 + UInt8(count)] + word
        case .messagePack: return [0x82, 0xA1, 0x61, 0xCC, UInt8(128 + number), 0xA1, 0x62, 0xA0 + UInt8(count)] + word
        case .protobuf:
            return [0x08, UInt8(number), 0x12, UInt8(count)] + word + [0x1D] + octets(4, &random)
        case .typeLengthValue:
            return (0..<3).flatMap { type in [UInt8(0x10 + type), UInt8(count)] + octets(count, &random) }
        case .lengthTypeValue:
            return (0..<3).flatMap { type in [UInt8(count + 1), UInt8(0x10 + type)] + octets(count, &random) }
        }
    }
}
