import AttlasInference
import AttlasTestSupport
import Foundation
import Testing

@testable import AttlasDocuments

/// Generated mocks, compiled and run with a replacement of CoreBluetoothMock: Tests/Mocks.
@Suite struct CoreBluetoothMockTests {
    private func code(ofCapture name: String, as prefix: String) throws -> String {
        let model = try document(ofCapture: name) { TwinCollector(values: $0) }
        return CoreBluetoothMockCode(model.devices(named: nil), of: model, file: name, name: prefix).text
    }

    /// What a program prints of these files; nothing if all holds.
    private func run(_ files: [String: String], _ main: String) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(
            Repository.text("Tests/Mocks/CoreBluetoothMock.swift").utf8, to: "Mock/CoreBluetoothMock.swift")
        for (name, code) in files { try folder.write(code.utf8, to: name) }
        try folder.write((Self.helpers + main).utf8, to: "main.swift")
        let shell = try #require(Tool("sh"))
        let command = """
            (swiftc -swift-version 5 -parse-as-library -module-name CoreBluetoothMock -emit-module -emit-object \
            -o Mock.o Mock/CoreBluetoothMock.swift && swiftc -swift-version 6 -warnings-as-errors -I . \
            -o program Mock.o main.swift \(files.keys.sorted().joined(separator: " ")) && ./program) 2>&1; echo "status $?"
            """
        return String(decoding: try shell.run(["-c", command], in: folder.url), as: UTF8.self)
    }

    private static let helpers = """
        import CoreBluetoothMock
        import Foundation

        func expect(_ condition: Bool, line: Int = #line) { if !condition { print("line \\(line)") } }
        func hex(_ data: Data?) -> String { (data ?? Data()).map { String(format: "%02X", $0) }.joined(separator: " ") }
        func error<Value>(_ result: Result<Value, Error>) -> Int {
            guard case .failure(let error) = result else { return 0 }
            return (error as? CBMATTError)?.code.rawValue ?? (error as NSError).code
        }
        /// Requests of a central.
        @MainActor struct Central {
            let spec: CBMPeripheralSpec
            let delegate: CBMPeripheralSpecDelegate
            init(_ spec: CBMPeripheralSpec) {
                (self.spec, delegate) = (spec, spec.connectionDelegate!)
                expect(error(delegate.peripheralDidReceiveConnectionRequest(spec)) == 0)
                expect(error(delegate.peripheral(spec, didReceiveServiceDiscoveryRequest: nil)) == 0)
            }
            subscript(uuid: String) -> CBMCharacteristicMock {
                let all = spec.services!.flatMap { $0.characteristics ?? [] }
                return all.first { $0.uuid.uuidString == uuid } as! CBMCharacteristicMock
            }
            func read(_ uuid: String) -> Result<Data, Error> {
                delegate.peripheral(spec, didReceiveReadRequestFor: self[uuid])
            }
            func value(_ uuid: String) -> String { hex(try? read(uuid).get()) }
            func write(_ uuid: String, _ octets: [UInt8]) -> Int {
                error(delegate.peripheral(spec, didReceiveWriteRequestFor: self[uuid], data: Data(octets)))
            }
            func subscribe(_ uuid: String, _ isOn: Bool = true) {
                expect(error(delegate.peripheral(spec, didReceiveSetNotifyRequest: isOn, for: self[uuid])) == 0)
                delegate.peripheral(spec, didUpdateNotificationStateFor: self[uuid], error: nil)
            }
            /// The values that came since the last call.
            func updates() -> [String] {
                RunLoop.main.run(until: Date() + 0.2)
                defer { spec.updates = [] }
                return spec.updates.map { hex($0.data) }
            }
        }

        """

    /// The octets are those of tshark and of Captures/*.md.
    @Test func recordedDevicesAnswer() throws {
        let files = [
            "LEDStrip.swift": try code(ofCapture: "led-strip.btsnoop", as: "led-strip"),
            "HeartRate.swift": try code(ofCapture: "heart-rate.btsnoop", as: "heart-rate"),
            "Two.swift": try code(ofCapture: "two-peripherals.btsnoop", as: "two"),
        ]
        let output = try run(
            files,
            #"""
            let strip = LedStripTwin.makeLEDStrip(pace: 0)
            expect(strip.name == "LED Strip" && strip.mtu == 247 && strip.connectionInterval == 0.015)
            expect(strip.identifier.uuidString == "00000000-0000-0000-0000-C41ED500510B")
            let advertised = strip.advertisement![0]
            expect(advertised.data[CBMAdvertisementDataLocalNameKey] as? String == "LED Strip")
            expect((advertised.data[CBMAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == true)
            expect(advertised.interval > 0.1 && advertised.interval < 0.101)
            expect(strip.services!.map(\.uuid.uuidString) == ["6E40FF01-B5A3-F393-E0A9-E50E24DCCA9E"])
            let colour = "6E40FF02-B5A3-F393-E0A9-E50E24DCCA9E"
            var central = Central(strip)
            expect(central[colour].properties == [.read, .write, .writeWithoutResponse, .notify])
            expect(central[colour].descriptors!.map(\.uuid.uuidString) == ["2901", "2902"])
            let description = central[colour].descriptors![0] as! CBMDescriptorMock
            let text = central.delegate.peripheral(strip, didReceiveReadRequestFor: description)
            expect(hex(try? text.get()) == "43 6F 6C 6F 75 72")
            expect(central.value(colour) == "00 FF 80 00")
            expect(central.updates().isEmpty)
            expect(central.write(colour, [0, 0, 0xFF, 0]) == 0 && central.value(colour) == "00 00 FF 00")
            expect(central.write(colour, [1, 5, 0xFF]) == 0x0D && central.write(colour, [1, 2, 3]) == 0x0D)
            central.subscribe(colour)
            expect(central.updates() == ["00 FF C0 80", "01 05 FF 80 00", "01 B4 FF 00 FF", "01 05 FF", "00 00 00 00"])
            // A value that was never recorded is accepted, and read as the recorded ones were.
            let device = central.delegate as! LedStripTwin
            expect(device.unknown.isEmpty)
            expect(central.write(colour, [0, 0xAB, 0xCD, 0xEF]) == 0 && central.value(colour) == "00 AB CD EF")
            expect(device.unknown.count == 1)
            central.subscribe(colour, false)
            expect(Central(LedStripTwin.makeLEDStrip(isStrict: true)).write(colour, [0, 0xAB, 0xCD, 0xEF]) == 0x0E)
            // No value comes before its time, and none after the end.
            central = Central(LedStripTwin.makeLEDStrip(pace: 0.01))
            central.subscribe(colour)
            central.delegate.peripheral(central.spec, didDisconnect: nil)
            expect(central.updates().isEmpty)

            central = Central(HeartRateTwin.makeHRM7(pace: 0))
            expect(central.spec.services!.map(\.uuid.uuidString) == ["180D", "180F", "180A"])
            let services = central.spec.advertisement![0].data[CBMAdvertisementDataServiceUUIDsKey] as? [CBMUUID]
            expect(services?.map(\.uuidString) == ["180D", "180F", "180A"])
            expect(central.value("2A19") == "57" && central.value("2A19") == "57" && central.value("2A38") == "01")
            expect(error(central.read("2A23")) == 0x05)
            central.subscribe("2A37")
            let rates = central.updates()
            expect(rates.count == 25 && rates[..<3] == ["00 48", "04 49", "06 49"])
            expect(central.write("2A39", [1]) == 0 && central.write("2A39", [2]) == 0x80)
            expect(TwoTwin.makeHRM7().name != nil)
            """#)
        #expect(output == "status 0\n")
    }

    /// Values after writes come after other writes, too, with the octets that they repeat.
    @Test func learnedAnswersAreGiven() throws {
        var packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 1A 0300 192A"),
            .att(.tx, "04 0400 0400"), .att(.rx, "05 01 0400 0229"), .att(.rx, "1B 0300 55"), .att(.tx, "12 0400 0100"),
            .att(.rx, "13"),
        ]
        for number in 0x10...0x1F {
            let octets = String(number * 167 % 256 | 0x100, radix: 16).dropFirst()
            packets += [.att(.tx, "12 0300 07\(octets)"), .att(.rx, "13"), .att(.rx, "1B 0300 80\(octets)")]
        }
        let model = document(of: packets) { TwinCollector(values: $0) }
        let code = CoreBluetoothMockCode(model.devices, of: model, file: "a", name: "a").text
        let output = try run(
            ["A.swift": code],
            """
            let central = Central(ATwin.makeDevice(pace: 0))
            // Before the subscription.
            expect(central.updates() == ["55"])
            central.subscribe("2A19")
            expect(central.updates() == [])
            expect(central.write("2A19", [7, 0x70]) == 0 && central.updates() == ["80 70"])
            expect(central.write("2A19", [7, 0x9C]) == 0 && central.updates() == ["80 9C"])
            expect(central.write("2A19", [8, 0x9C]) == 0 && central.updates() == [])

            """)
        #expect(output == "status 0\n", "\(code.suffix(3_000))")
    }

    /// Nothing of a capture becomes code.
    @Test func namesAreEscaped() throws {
        let name = "\"\\(exit(3))\n*/}"
        let octets = name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let packets: [Packet] = [
            .connected(), .att(.tx, "10 0100 FFFF 0028"), .att(.rx, "11 06 0100 0400 0F18"),
            .att(.tx, "08 0100 0400 0328"), .att(.rx, "09 07 0200 1A 0300 002A"),
            .att(.tx, "08 0100 FFFF 002A"), .att(.rx, "09 11 0300 \(octets)"), .att(.tx, "0A 0300"),
        ]
        let model = document(of: packets) { TwinCollector(values: $0) }
        let devices = model.devices + model.devices
        let code = CoreBluetoothMockCode(devices, of: model, file: "a\nexit(4) */\\", name: "1\"; init").text
        let output = try run(
            ["Made.swift": code],
            #"""
            expect(N1InitTwin.makeExit3().name == "\"\\(exit(3))\n*/}")
            expect(N1InitTwin.makeExit32().name == N1InitTwin.makeExit3().name)
            expect(Central(N1InitTwin.makeExit3()).value("2A00") == "22 5C 28 65 78 69 74 28 33 29 29 0A 2A 2F 7D")

            """#)
        #expect(output == "status 0\n", "\(code.suffix(3_000))")
    }
}
