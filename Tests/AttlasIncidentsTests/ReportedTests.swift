import AttlasCapture
import AttlasDefinitions
import AttlasIncidents
import AttlasInput
import AttlasTestSupport
import AttlasTrace
import AttlasValues
import AttlasWire
import Testing

/// Statuses of apps, which no packet has: they are shown as the system's own, and no code is made for them.
@Suite struct ReportedTests {
    private func incidents(_ text: String) throws -> [Incident] {
        var reader = try CaptureReader(bytes: Array(text.utf8), name: "log.txt")
        var trace = Trace()
        var collector = Interpreted(library: .shipped) { IncidentCollector(values: $0) }
        let extent = try trace.decode(&reader, into: &collector)
        trace.finish(into: &collector)
        return collector.finish(in: trace, CaptureIntegrity(extent, in: trace)).incidents
    }

    private func texts(_ incident: Incident) -> String {
        ([incident.title, incident.what, incident.cause.text, incident.next, incident.before ?? ""]
            + incident.steps.map(\.text)).joined(separator: "\n")
    }

    /// nRF Connect. `BluetoothGatt` and gatt_api.h of Android's stack.
    private func android(_ status: Int, isConnected: Bool) -> String {
        """
        V 10:00:00.000 Connecting to F2:11:22:33:44:55...
        \(isConnected ? "I 10:00:01.000 Connected to F2:11:22:33:44:55" : "")
        D 10:00:30.000 [Callback] Connection state changed with status: \(status) and new state: DISCONNECTED (0)
        """
    }

    @Test(arguments: [
        (133, "GATT_ERROR"), (147, "GATT_CONNECTION_TIMEOUT"), (257, "GATT_FAILURE"), (1, "GATT_CONN_L2C_FAILURE"),
    ])
    func androidsOwn(status: Int, name: String) throws {
        for isConnected in [true, false] {
            let found = try incidents(android(status, isConnected: isConnected))
            let incident = try #require(found.first)
            #expect(found.count == 1 && incident.weight == .broke)
            expect(incident.kind, equals: isConnected ? .endedWithError : .attemptFailed)
            #expect(incident.title.hasSuffix("status \(status) of Android (\(name))"))
            expect(incident.cause.certainty, equals: .likely)
            #expect(!texts(incident).contains("0x") && !texts(incident).contains("Unspecified"))
        }
    }

    /// Android passes these on from HCI: Connection Timeout, Remote User Terminated Connection, Terminated By Local Host.
    @Test func reasonsOfHCI() throws {
        let lost = try incidents(android(8, isConnected: true))
        #expect(lost.map(\.kind) == [.linkLost] && lost[0].what.hasPrefix("Connection lost"))
        for status in [19, 22] { #expect(try incidents(android(status, isConnected: true)).isEmpty) }
    }

    /// `BluetoothGattCallback.onConnectionStateChange`: status 0 when the app called `disconnect()`, 22 when the stack ended the connection.
    @Test(arguments: [
        ("", "00.900", 1), ("D 10:00:00.700 gatt.disconnect()\n", "00.900", 0), ("", "09.000", 0),
        (
            "I 10:00:00.700 Notification received from 00002a19-0000-1000-8000-00805f9b34fb, value: (0x) 64\n",
            "00.900", 0
        ),
    ])
    func endByThePhone(between: String, end: String, count: Int) throws {
        let log = """
            V 10:00:00.000 Connecting to F2:11:22:33:44:55...
            I 10:00:00.500 Connected to F2:11:22:33:44:55
            \(between)D 10:00:\(end) [Callback] Connection state changed with status: 22 and new state: DISCONNECTED (0)
            """
        let found = try incidents(log)
        expect(found.map(\.kind), equals: Array(repeating: .endedWithError, count: count))
        for incident in found {
            #expect(incident.cause.certainty == .unknown && incident.title == "the phone closed the connection")
            #expect(incident.what.contains("after 400 ms") && incident.what.contains("status 22 of Android"))
        }
    }

    /// Matter: connections without addresses, of which the log has the ends alone.
    @Test func connectionsWithoutAddresses() throws {
        func connection(_ reason: Int) -> String {
            "I (11299) chip[DL]: BLE GAP connection established (con 0)\n"
                + "I (15119) chip[DL]: BLE GAP connection terminated (con 0 reason \(reason))\n"
        }
        let lost = try incidents(connection(0x208) + connection(0x208).replacing("(1", with: "(2"))
        expect(lost.map(\.kind), equals: [.linkLost, .linkLost])
    }

    /// bluetoothctl: the words of BlueZ, and an end without any.
    @Test func bluetoothctl() throws {
        let connected = "[CHG] Device F2:11:22:33:44:55 Connected: yes\n"
        let gone = "[CHG] Device F2:11:22:33:44:55 Connected: no\n"
        let failed = "Failed to connect: org.bluez.Error.Failed le-connection-abort-by-local\n"
        let aborted = try incidents("Attempting to connect to F2:11:22:33:44:55\n" + connected + failed + gone)
        expect(aborted.map(\.title), equals: ["connection ended: le-connection-abort-by-local"])
        let ended = try incidents(connected + gone)
        #expect(ended.map(\.title) == ["connection ended, without a reason in the log"] && ended[0].weight == .noted)
        #expect(ended.allSatisfy { !texts($0).contains("0x") })
    }

    /// Two writes of which only the second has a result in the log, and a connection without parameters.
    @Test func whatIsNotLoggedIsNotMissing() throws {
        let text = """
            V 10:00:00.000 Connecting to F2:11:22:33:44:55...
            I 10:00:01.000 Connected to F2:11:22:33:44:55
            D 10:00:02.000 gatt.writeCharacteristic(00002a39-0000-1000-8000-00805f9b34fb, value=0x01)
            D 10:00:03.000 gatt.readCharacteristic(00002a19-0000-1000-8000-00805f9b34fb)
            D 10:01:30.000 gatt.disconnect()
            I 10:01:31.000 Disconnected
            """
        var reader = try CaptureReader(bytes: Array(text.utf8), name: "log.txt")
        var trace = Trace()
        var collector = Interpreted(library: .shipped) { IncidentCollector(values: $0) }
        let extent = try trace.decode(&reader, into: &collector)
        trace.finish(into: &collector)
        let model = collector.finish(in: trace, CaptureIntegrity(extent, reader.info, in: trace))
        #expect(trace.isOfApp && trace.connections[0].hasBeginning && !trace.connections[0].isWhole)
        #expect(model.incidents.isEmpty)
        #expect(model.hidden.contains("An app does not log every packet: missing answers do not appear in it."))
    }

    /// A read and a write that Android fails by itself; and one that the server refuses.
    @Test func operations() throws {
        let found = try incidents(
            """
            V 10:00:00.000 Connecting to F2:11:22:33:44:55...
            I 10:00:01.000 Connected to F2:11:22:33:44:55
            I 10:00:01.500 Data written to 00002a39-0000-1000-8000-00805f9b34fb, value: (0x) 01
            D 10:00:02.000 gatt.readCharacteristic(00002a38-0000-1000-8000-00805f9b34fb)
            E 10:00:02.100 Error 132 (0x84): GATT BUSY
            D 10:00:03.000 gatt.readCharacteristic(00002a19-0000-1000-8000-00805f9b34fb)
            E 10:00:03.100 Error 2 (0x2): GATT READ NOT PERMIT
            """)
        expect(
            found.map(\.title),
            equals: [
                "Body Sensor Location cannot be read: status 132 of Android (GATT_BUSY)",
                "Battery Level cannot be read: Read Not Permitted",
            ])
        #expect(found[0].cause.text.contains("Another operation") && !texts(found[0]).contains("Unlikely"))
    }

    /// Core Bluetooth's errors, as NSError prints them.
    private func coreBluetooth(_ end: String) -> String {
        """
        10:00:00.000 peripheral.setNotifyValue(true, for: 2A37)
        10:00:00.500 peripheral.writeValue(0x01, for: 2A39, type: .withResponse)
        \(end)
        """
    }

    @Test(arguments: [
        (6, "connectionTimeout", Incident.Kind.linkLost, Incident.Weight.broke),
        (7, "peripheralDisconnected", .endedWithError, .broke),
        (14, "peerRemovedPairingInformation", .endedWithError, .broke),
    ])
    func coreBluetoothsErrors(code: Int, name: String, kind: Incident.Kind, weight: Incident.Weight) throws {
        let end = "10:00:02.000 didDisconnectPeripheral error: Error Domain=CBErrorDomain Code=\(code) \"…\""
        let incident = try #require(try incidents(coreBluetooth(end)).first { $0.kind == kind })
        #expect(incident.weight == weight && incident.what.contains("error \(code) of Core Bluetooth (\(name))"))
        #expect(!texts(incident).contains("0x"))
    }

    /// The device answers, the app asks for nothing more, and the device closes the connection.
    @Test func anIdleUpdate() throws {
        let found = try incidents(
            """
            13:18:13.945898+0100 [Debug] peripheral.writeValue(0x0601, for: 8EC90001-F315-4F60-9FB8-838830DAEA50, type: .withResponse)
            13:18:14.004332+0100 [Info] Data written to 8EC90001-F315-4F60-9FB8-838830DAEA50
            13:18:14.005507+0100 [Info] Notification received from 8EC90001-F315-4F60-9FB8-838830DAEA50, value (0x): 600601000100008a0000003f72d0a0
            13:18:24.010000+0100 [Error] Disconnected by the remote device
            """)
        let incident = try #require(found.first)
        #expect(incident.title == "the device closed the connection" && incident.cause.certainty == .likely)
        #expect(incident.cause.text.contains("10.0 s without a request"))
        #expect(incident.before?.contains("DFU Control Point") == true)
    }

    /// btmon numbers the packets of a controller. Lines that a person cut out were not lost.
    @Test func packetsThatWereCutOutOfAText() throws {
        func status(_ number: Int) -> String {
            """
            > HCI Event: Command Complete (0x0e) plen 4                             #\(number) [hci0] 11:04:29.4172\(number)
                  Reset (0x03|0x0003) ncmd 1
                    Status: Success (0x00)

            """
        }
        let found = try incidents(status(10) + status(11) + status(14))
        let loss = try #require(found.first { $0.kind == .recordsLost })
        #expect(loss.title == "packets not in the text" && loss.what.hasPrefix("2 packets") && loss.weight == .noted)
        #expect(try !incidents(status(10) + status(11)).contains { $0.kind == .recordsLost })
    }
}
