import AttlasInput
import AttlasTestSupport
import AttlasWire
import Testing

@testable import AttlasCapture

/// Logs of apps: the conversation that their lines imply, with handles of attlas's own numbering.
@Suite struct AppLogTests {
    /// The ATT PDUs after `>` (sent) and `<` (received), and the events after `!`.
    private func conversation(_ text: String) -> [String] {
        Reading(Array(text.utf8)).records.map { record in
            let octets = record.content == .packet(.acl) ? Array(record.bytes.dropFirst(8)) : record.bytes
            let mark = record.content == .packet(.event) ? "!" : record.direction == .tx ? ">" : "<"
            return mark + octets.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }

    /// The connection handles of the packets.
    private func handles(_ text: String) -> [UInt16] {
        Reading(Array(text.utf8)).records.compactMap { record in
            record.content == .packet(.acl) ? UInt16(record.bytes[0]) | UInt16(record.bytes[1] & 0x0F) << 8 : nil
        }
    }

    private func seconds(_ text: String) -> [Int64] {
        Reading(Array(text.utf8)).records.map(\.time.seconds)
    }

    private static let measurement = "00002a37-0000-1000-8000-00805f9b34fb"
    private static let own = "6e40ff02-b5a3-f393-e0a9-e50e24dcca9e"
    /// The same as octets.
    private static let ownOctets = "9ecadc240ee5a9e093f3a3b502ff406e"
    /// LE Connection Complete of F2:11:22:33:44:55, static random, and of 00:11:22:33:44:55, public; the parameters are unknown.
    private static let connected = "!3e1301000100000155443322" + "11f200000000000000"
    private static let publicConnected = "!3e13010001000000554433221100" + "00000000000000"

    /// A log that crosses midnight; its list of services has no times.
    private static let nordic = """
        nRF Connect, 2026-11-21
        Belt (F2:11:22:33:44:55)
        V\t23:59:58.796\tConnecting to F2:11:22:33:44:55...
        D\t23:59:58.799\t[Callback] Connection state changed with status: 0 and new state: CONNECTED (2)
        D\t23:59:58.799\t[Server callback] Connection state changed with status: 0 and new state: CONNECTED (2)
        I\t23:59:58.799\tConnected to F2:11:22:33:44:55
        I\t23:59:58.811\tServices discovered
        V\t23:59:58.816\tHeart Rate (0x180D)
        - Heart Rate Measurement [N] (0x2A37)
           Client Characteristic Configuration (0x2902)
        Unknown Service (6e40ff01-b5a3-f393-e0a9-e50e24dcca9e)
        - Unknown Characteristic [R W WNR] (\(own))
        D\t23:59:59.225\tgatt.setCharacteristicNotification(\(measurement), true)
        D\t23:59:59.226\tgatt.writeDescriptor(00002902-0000-1000-8000-00805f9b34fb, value=0x0100)
        I\t23:59:59.327\tData written to descr. 00002902-0000-1000-8000-00805f9b34fb, value: (0x) 01-00
        I\t00:00:01.427\tNotification received from \(measurement), value: (0x) 16-4B-2B-03
        A\t00:00:01.427\t"Heart Rate Measurement: 75 bpm" received
        V\t00:00:02.000\tReading characteristic \(own)
        D\t00:00:02.000\tgatt.readCharacteristic(\(own))
        I\t00:00:02.100\tRead Response received from \(own), value: 0 bytes
        D\t00:00:03.000\tgatt.writeCharacteristic(\(own), value=0x02)
        E\t00:00:03.100\tError 3 (0x3): GATT WRITE NOT PERMIT
        V\t00:00:04.000\tWriting command to characteristic \(own)
        D\t00:00:04.001\tgatt.writeCharacteristic(\(own), value=0x0102)
        I\t00:00:04.003\tData written to \(own), value: (0x) 01-02
        I\t00:00:05.000\tConnection parameters updated (interval: 7.5ms, latency: 3, timeout: 5000ms)
        D\t00:00:09.796\t[Callback] Connection state changed with status: 8 and new state: DISCONNECTED (0)
        E\t00:00:09.797\tError 8 (0x8): GATT CONN TIMEOUT
        I\t00:00:09.797\tDisconnected
        """

    /// nRF Connect for iOS. LE Connection Complete with zeros: there is no address.
    @Test func aConnectionWithoutAnAddressBeginsWhereItsLineIs() {
        let text = """
            [12:35:26.652] Debug: cbCentralManager.connect()
            [12:35:27.993] Debug: [Callback] centralManager(central, didConnect: peripheral)
            [12:35:29.000] Debug: [Callback] Central Manager did disconnect peripheral

            """
        let reading = Reading(Array(text.utf8))
        expect(conversation(text), equals: ["!3e1301000100" + String(repeating: "0", count: 30), "!05040001001f"])
        expect(reading.records.map(\.time.seconds), equals: [45_327, 45_329])
    }

    /// They may be of different devices: what one had is described again for the other.
    @Test func connectionsWithoutAddressesShareNoTable() {
        let connected = "!3e1301000100" + String(repeating: "0", count: 30)
        let connection = """
            12:35:27.993 Debug: [Callback] centralManager(central, didConnect: peripheral)
            12:35:28.100 Notification received from 2A19, value (0x): 64
            12:35:29.000 Debug: [Callback] Central Manager did disconnect peripheral

            """
        let packets = [connected, ">0402000200", "<05010200192a", "<1b020064", "!05040001001f"]
        expect(conversation(connection + connection.replacing("12:3", with: "12:4")), equals: packets + packets)
    }

    /// An end that nothing is known of but its reason, and another one.
    @Test func aSecondEndIsALineThatIsNotUsed() {
        let end = "BT: bta_gattc_conn_cback() - cif=3 connected=0 conn_id=3 reason="
        let text = "E (19898) \(end)0x0016\nE (35048) \(end)0x0013\n"
        expect(conversation(text), equals: ["!050400010016"])
        let unused = Reading(Array(text.utf8)).info?.cuts.first { $0.kind == .unusedLines }
        #expect(unused?.sentence.contains("reason=0x0013") == true)
    }

    /// Wireshark's details of one frame, which no line ends.
    @Test func aWriteBeginsWhereTheLogHasItsBeginning() {
        let text = """
            D\t10:00:01.000\tgatt.writeCharacteristic(\(Self.own))
            I\t10:00:03.000\tData written to \(Self.own), value: (0x) 01-02
            D\t10:00:04.000\tgatt.writeCharacteristic(\(Self.own))
            I\t10:00:05.000\tNotification received from \(Self.measurement), value: (0x) 00-40
            I\t10:00:06.000\tData written to \(Self.own), value: (0x) 01-02
            """
        // Find Information, and the write; a packet between the beginning and the end of the second one.
        #expect(seconds(text).map { $0 - 36_000 } == [1, 1, 1, 3, 5, 5, 5, 6, 6])
    }

    @Test func oneConnectionOfANamedDeviceIsALog() {
        let line = "I (7451) BLE2MQTT: Connected to device: 00:11:22:33:44:55, scanning"
        #expect(conversation(line) == [Self.publicConnected])
        // The stack's status 0 is the beginning or the end.
        let end = "10:00:00 D/BluetoothGatt: onClientConnectionState() - status=0 clientIf=6 device=F2:11:22:33:44:55"
        #expect(conversation(end).isEmpty)
    }

    @Test func timesInMilliseconds() {
        let text = """
            305000 [I][BtGap] Start advertising
            307859 [I][BtGap] Connection parameters: Connection Interval: 36 (45 ms), Slave Latency: 0, Supervision Timeout: 42
            309259 [I][BtGap] Disconnect from client. Reason: 08
            """
        #expect(seconds(text).suffix(2) == [307, 309])
    }

    @Test func oneFrameOfWireshark() {
        let text = """
            Frame 134: 14 bytes on wire (112 bits), 14 bytes captured (112 bits)
                Epoch Time: 1795254922.501998000 seconds
                Point-to-Point Direction: Sent (0)
            Bluetooth Attribute Protocol
                Opcode: Write Request (0x12)
                Handle: 0x0027 (Unknown: Unknown)
                Value: 0102
            """
        expect(conversation(text), equals: [">122700" + "0102"])
    }

    @Test func nRFConnect() {
        let reading = Reading(Array(Self.nordic.utf8))
        expect(reading.info?.format, equals: "text (nRF Connect, rebuilt)")
        #expect(reading.info?.isText == true && reading.info?.isRebuilt == true && reading.info?.isAppLog == true)
        expect(reading.info?.cuts.map(\.kind), equals: [.noPackets])
        expect(
            conversation(Self.nordic),
            equals: [
                Self.connected,
                ">100100ffff0028", "<1106010004000d18", ">08020004000328", "<0907020010030" + "0372a",
                ">0404000400", "<050104000229",
                ">100500ffff0028", "<1114050007009ecadc240ee5a9e093f3a3b501ff406e",
                ">08060007000328", "<091506000e0700" + Self.ownOctets,
                ">1204000100", "<13", "<1b0300164b2b03",
                ">0a0700", "<0b", ">12070002", "<0112070003", ">5207000102",
                "!3e0a0300010006000300f401", "!050400010008",
            ])
        // 2026-11-21 is day 20778, and the next one begins with the notification.
        let day: Int64 = 20_778 * 86_400
        expect(seconds(Self.nordic).first, equals: day + 86_398)
        expect(seconds(Self.nordic).last, equals: day + 86_409)
        expect(reading.records.map(\.frame), equals: Array(1...21))
    }

    /// Without lists and requests both ends have the time of the only one; a connection that existed has no beginning.
    @Test func aLogWithOneEndOfEach() {
        let text = """
            11:36:14.079 I Read Response received from \(Self.own), value: (0x) 42
            11:36:15.079 I Data written to \(Self.own), value: (0x) 01-02
            11:36:16.079 I Indication received from \(Self.own), value: (0x) 03
            """
        expect(
            conversation(text),
            equals: [
                ">0402000200", "<05020200" + Self.ownOctets, ">0a0200", "<0b42", ">1202000102", "<13", "<1d020003",
                ">1e",
            ])
        // 11:36:16
        expect(seconds(text).last, equals: 41_776)
    }

    /// nRF Toolbox since it uses Nordic's library for Kotlin. A subscription also has lines about its descriptor.
    @Test func nordicsKotlinLibrary() {
        let text = """
            nRF Toolbox nRF Toolbox, 2026-11-21
            F2:11:22:33:44:55 (UART)
            I\t02:45:02.226\tConnecting to F2:11:22:33:44:55
            V\t02:45:02.635\tOn gatt event: ConnectionStateChanged(status=SUCCESS, newState=STATE_CONNECTED)
            D\t02:45:02.638\tOn connection state changed: STATE_CONNECTED, status: SUCCESS
            I\t02:45:02.643\tDevice connected
            D\t02:45:02.647\tRequesting new mtu - start, mtu: 517
            V\t02:45:03.116\tOn gatt event: MtuChanged(mtu=498, status=GATT_SUCCESS)
            I\t02:45:03.120\tMTU: 498
            D\t02:45:04.000\tEnable notifications on characteristic - start, uuid: \(Self.measurement)
            I\t02:45:04.100\tValue written: (0x) 01:00 to 00002902-0000-1000-8000-00805f9b34fb
            I\t02:45:04.101\tNotifications enabled: \(Self.measurement)
            V\t02:45:05.000\tOn gatt event: CharacteristicChanged(characteristic={uuid: \(Self.measurement)instanceId: 3permissions: 0properties: 16writeType: 2value: (0x) descriptors: []}, value=(0x) 16:4B)
            V\t02:45:05.001\tOn notification received: (0x) 16:4B
            D\t02:45:06.000\tWrite to characteristic - start, uuid: \(Self.own), value: (0x) 01:02, type: DEFAULT
            I\t02:45:06.100\tValue written: (0x) 01:02 to \(Self.own)
            D\t02:45:07.000\tWrite to characteristic - start, uuid: \(Self.own), value: (0x) 03, type: NO_RESPONSE
            I\t02:45:07.001\tValue written: (0x) 03 to \(Self.own)
            D\t02:45:08.000\tRead from characteristic - start, uuid: \(Self.own)
            I\t02:45:08.100\tValue read: (0x) 07 from \(Self.own)
            D\t02:45:09.000\tRead from characteristic - start, uuid: \(Self.own)
            E\t02:45:09.100\tRead from characteristic - error, uuid: \(Self.own), result: GATT_READ_NOT_PERMITTED
            D\t02:45:10.000\tOn connection state changed: STATE_DISCONNECTED, status: LINK_LOSS
            """
        expect(
            conversation(text),
            equals: [
                Self.connected, ">020502", "<03f201", ">0402000200", "<05010200372a", ">0403000300", "<050103000229",
                ">1203000100", "<13", "<1b0200164b", ">0405000500", "<05020500" + Self.ownOctets, ">1205000102", "<13",
                ">52050003", ">0a0500", "<0b07", ">0a0500", "<010a050002", "!050400010008",
            ])
    }

    /// Older versions of Nordic's library have the kind of a write before its value.
    @Test func theKindOfAWriteIsNamedBefore() {
        let text = """
            14:08:56.713 V/BleManager(1): (thread A) Writing characteristic \(Self.own) (WRITE COMMAND)
            14:08:56.714 D/BleManager(1): (thread A) gatt.writeCharacteristic(\(Self.own))
            14:08:56.718 I/BleManager(1): (thread B) Data written to \(Self.own), value: (0x) 01-02
            14:08:57.713 V/BleManager(1): (thread A) Writing characteristic \(Self.own) (WRITE REQUEST)
            14:08:57.718 I/BleManager(1): (thread B) Data written to \(Self.own), value: (0x) 03
            """
        expect(
            conversation(text),
            equals: [
                ">0402000200", "<05020200" + Self.ownOctets, ">5202000102", ">12020003", "<13",
            ])
    }

    /// Nordic's library in Android's log; the stack has one line for both ends of a connection.
    @Test func logcat() {
        let text = """
            12-06 10:27:40.276 D/BluetoothGatt(11854): connect() - device: 00:11:22:33:44:55, auto: false
            12-06 10:27:40.300 D/BluetoothGatt(11854): onClientConnectionState() - status=0 clientIf=8 device=00:11:22:33:44:55
            12-06 10:27:40.400 D/BluetoothGatt(11854): onConnectionUpdated() - Device=00:11:22:33:44:55 interval=6 latency=0 timeout=500 status=0
            12-06 10:27:40.500 D/BluetoothGatt(11854): configureMTU() - device: 00:11:22:33:44:55 mtu: 185
            12-06 10:27:40.600 D/BluetoothGatt(11854): onConfigureMTU() - Device=00:11:22:33:44:55 mtu=158 status=0
            12-06 10:27:41.000 V/BleManager(11854): gatt.writeCharacteristic(\(Self.measurement), value=0x0102, WRITE COMMAND)
            12-06 10:27:42.000 D/BluetoothGatt(11854): onClientConnectionState() - status=22 clientIf=8 device=00:11:22:33:44:55
            """
        expect(
            conversation(text),
            equals: [
                Self.publicConnected, "!3e0a0300010006000000f401", ">02b900", "<039e00", ">0402000200", "<05010200372a",
                ">5202000102", "!050400010016",
            ])
    }

    @Test func flutterBluePlus() {
        let text = """
            I/flutter (21182): [FBP] [[ OnConnectionStateChanged ]] result: {remote_id: 00:11:22:33:44:55, connection_state: 1, disconnect_reason_code: null}
            flutter: [FBP] <writeCharacteristic> args: {remote_id: 00:11:22:33:44:55, service_uuid: 180d, characteristic_uuid: 2a39, write_type: 0, allow_long_write: 0, value: 01}
            flutter: [FBP] [[ OnCharacteristicWritten ]] result: {remote_id: 00:11:22:33:44:55, characteristic_uuid: 2a39, success: 0, value: 01, error_code: 128, service_uuid: 180d, error_string: x}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {remote_id: 00:11:22:33:44:55, characteristic_uuid: 2a37, success: 1, value: 164b, error_code: 0, service_uuid: 180d, error_string: success}
            flutter: [FBP] <readCharacteristic> args: {remote_id: 00:11:22:33:44:55, service_uuid: 180d, characteristic_uuid: 2a38}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {remote_id: 00:11:22:33:44:55, characteristic_uuid: 2a38, success: 1, value: 01, error_code: 0}
            """
        expect(
            conversation(text),
            equals: [
                Self.publicConnected, ">0402000200", "<05010200392a", ">12020001", "<0112020080",
                ">0405000500", "<05010500372a", "<1b0500164b", ">0408000800", "<05010800382a", ">0a0800", "<0b01",
            ])
        expect(Reading(Array(text.utf8)).info?.cuts.map(\.kind), equals: [.noPackets, .noTimes])
        #expect(Reading(Array(text.utf8)).info?.cuts.last?.advice.contains("logcat") == true)
    }

    /// react-native-ble-plx in Android's log. RxAndroidBle below it hides addresses, UUIDs and values, and the app prints values again.
    @Test func reactNativeBLEPLXOnAndroid() {
        let text = """
            2026-11-21 09:30:14.100  9402-9402  BluetoothGatt  com.example  D  connect() - device: F2:11:22:33:44:55, auto: false
            2026-11-21 09:30:14.400  9402-9420  BluetoothGatt  com.example  D  onClientConnectionState() - status=0 clientIf=7 device=F2:11:22:33:44:55
            2026-11-21 09:30:14.401  9402-9420  RxBle#GattCallback  com.example  I  MAC='XX:XX:XX:XX:XX:XX'  onConnectionStateChange(), status=0, value=2
            2026-11-21 09:30:15.694  9402-9440  RxBle#Characteristic  com.example  V  Write to Characteristic(uuid: 00002a39-0000-1000-8000-00805f9b34fb, id: 27, value: 01)
            2026-11-21 09:30:15.908  9402-9420  RxBle#GattCallback  com.example  I  MAC='XX:XX:XX:XX:XX:XX'  onCharacteristicChanged(), value=[uuid='...', hexValue=[...]]
            2026-11-21 09:30:15.909  9402-9469  RxBle#Characteristic  com.example  V  Notification from Characteristic(uuid: \(Self.measurement), id: 25, value: 164B)
            2026-11-21 09:30:15.910  9402-9470  ReactNativeJS  com.example  I  {"uuid":"\(Self.measurement)","serviceUUID":"180d","isNotifiable":true,"value":"Fks="}
            2026-11-21 09:30:16.909  9402-9469  RxBle#Characteristic  com.example  V  Read from Characteristic(uuid: \(Self.own), id: 26, value: (null))
            2026-11-21 09:30:17.909  9402-9469  RxBle#Characteristic  com.example  V  Read from Characteristic(uuid: \(Self.own), id: 26, value: 01)
            2026-11-21 09:30:18.909  9402-9469  RxBle#Descriptor  com.example  V  Read from Descriptor(uuid: 00002902-0000-1000-8000-00805f9b34fb, id: 28, value: 0100)
            """
        expect(
            conversation(text),
            equals: [
                Self.connected, ">0402000200", "<05010200392a", ">12020001", "<13", ">0405000500", "<05010500372a",
                "<1b0500164b", ">0408000800", "<05020800" + Self.ownOctets, ">0a0800", "<0b01",
                ">0409000900", "<050109000229", ">0a0900", "<0b0100",
            ])
        expect(
            Reading(Array(text.utf8)).info?.format,
            equals: "text (Android, RxAndroidBle, react-native-ble-plx, rebuilt)")
    }

    /// The members are in any order, in two ways of printing.
    @Test(arguments: [
        "{\"uuid\":\"\(measurement)\",\"serviceUUID\":\"180d\",\"deviceID\":\"F2:11:22:33:44:55\",\"isNotifiable\":true,\"value\":\"Fks=\"}",
        " LOG  {\"_manager\": {\"_activePromises\": {}}, \"deviceID\": \"F2:11:22:33:44:55\", \"isNotifiable\": true, \"serviceUUID\": \"180d\", \"uuid\": \"\(measurement)\", \"value\": \"Fks=\"}",
    ])
    func aCharacteristicOfReactNative(text: String) {
        let empty = text.replacing("\"Fks=\"", with: "null")
        let unreadable = text.replacing("Fks=", with: "F!")
        expect(
            conversation([empty, text, unreadable].joined(separator: "\n")),
            equals: [
                Self.connected, ">0402000200", "<05010200372a", "<1b0200164b", "<",
            ])
        #expect(Reading(Array(empty.utf8)).error?.reason.contains("a log of React Native, but without values") == true)
    }

    @Test func rxAndroidBle() {
        let text = """
            I/RxBle#ClientOperationQueue: RUNNING  ConnectOperation{MAC='F2:11:22:33:44:55', autoConnect=false}
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'  onConnectionStateChange(), status=0, value=2
            I/RxBle#ConnectionOperationQueue: RUNNING  CharacteristicWriteOperation{MAC='F2:11:22:33:44:55', characteristic=[uuid='\(Self.measurement)', hexValue=[01, 0A]]}
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'     onCharacteristicWrite(), status=0, value=[uuid='\(Self.measurement)']
            I/RxBle#ConnectionOperationQueue: RUNNING  DescriptorWriteOperation{MAC='F2:11:22:33:44:55', descriptor=[uuid='00002902-0000-1000-8000-00805f9b34fb', hexValue=[01, 00]]}
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'         onDescriptorWrite(), status=0, value=[uuid='00002902-0000-1000-8000-00805f9b34fb']
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'   onCharacteristicChanged(), value=[uuid='\(Self.measurement)', hexValue=[16, 4B]]
            I/RxBle#ConnectionOperationQueue: RUNNING  CharacteristicReadOperation{MAC='F2:11:22:33:44:55', characteristic=[uuid='\(Self.measurement)']}
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'      onCharacteristicRead(), status=2, value=[uuid='\(Self.measurement)']
            I/RxBle#GattCallback: MAC='F2:11:22:33:44:55'   onConnectionStateChange(), status=8, value=0
            """
        expect(
            conversation(text),
            equals: [
                Self.connected, ">0402000200", "<05010200372a", ">120200010a", "<13", ">0403000300", "<050103000229",
                ">1203000100", "<13", "<1b0200164b", ">0a0200", "<010a020002", "!050400010008",
            ])
    }

    /// Android and the library above it log each failed attempt.
    @Test func anEndThatTwoProgramsLogIsOne() {
        let attempt = { (second: String) in
            """
            01-02 10:00:\(second)0.000 D/BluetoothGatt(11808): connect() - device: F2:11:22:33:44:55, auto: false
            01-02 10:00:\(second)2.000 D/BluetoothGatt(11808): onClientConnectionState() - status=133 clientIf=6 device=F2:11:22:33:44:55
            01-02 10:00:\(second)2.005 I/RxBle#GattCallback: MAC='F2:11:22:33:44:55' onConnectionStateChange(), status=133, value=0

            """
        }
        let failed = "!3e13011f000000015544332211f200000000000000"
        expect(conversation(attempt("1") + attempt("2")), equals: [failed, failed])
    }

    /// A line without an address after the end of a device says it again.
    @Test func anEndWithoutADeviceIsNotThatOfAnotherOne() {
        let text = """
            bluetoothd[753]: src/adapter.c:connected_callback() hci0 device F2:11:22:33:44:55 connected eir_len 22
            bluetoothd[753]: src/adapter.c:connected_callback() hci0 device F2:11:22:33:44:66 connected eir_len 22
            bluetoothd[753]: src/adapter.c:dev_disconnected() Device F2:11:22:33:44:55 disconnected, reason 3
            bluetoothd[753]: src/device.c:att_disconnected_cb() Connection reset by peer (104)
            """
        // Neither line says whose connection it is.
        let first = "!3e1301000100ff015544332211f200000000000000"
        let second = "!3e1301000200ff016644332211f200000000000000"
        expect(conversation(text), equals: [first, second, "!050400010013"])
    }

    /// A call of RxBluetoothKit takes several lines, and the name in it has any characters.
    @Test func rxBluetoothKit() {
        let start = { (time: String) in
            "[RxBLEKit|DEBG|15:41:\(time)]: Peripheral(uuid: 1E26851E-3D5D-2834-92D2-B9C6D63AA4B5, name: Optional(\"a (2\")) "
        }
        let text = """
            \(start("11.457"))discoverServices(
            serviceUUIDs: nil)
            \(start("12.457"))setNotifyValue(
            enabled: true,
            for: Characteristic(uuid: FFF1, id: 10743))
            \(start("12.557"))didUpdateNotificationStateFor(
            for:Characteristic(uuid: FFF1, id: 10743), isNotifying: true,
            error: nil)
            \(start("13.457"))writeValue(
            data: 0102,
            for: Characteristic(uuid: FFF2, id: 10744),
            type: withResponse)
            \(start("13.500"))didWriteValueFor(for:Characteristic(uuid: FFF2, id: 10744),
            value: Optional("ff"),
            error: nil)
            \(start("13.550"))writeValue(
            data: 03,
            \(start("13.600"))didUpdateValueFor(for:Characteristic(uuid: FFF1, id: 10743),
            value: Optional("164b"),
            error: nil)
            \(start("14.457"))writeValue(
            data: 04,
            for: Characteristic(uuid: FFF2, id: 10744),
            type: withoutResponse)
            \(start("14.500"))readValue(
            for: Characteristic(uuid: FFF2, id: 10744))
            \(start("15.457"))didUpdateValueFor(for:Characteristic(uuid: FFF2, id: 10744),
            value: nil,
            error: Optional(Error Domain=CBATTErrorDomain Code=2 "Reading is not permitted."))
            \(start("15.500"))didUpdateValueFor(for:Characteristic(uuid: Battery Level, id: 10745),
            value: Optional("64"),
            error: nil)
            [RxBLEKit|DEBG|15:41:16.557]: CentralManager(10778) didDisconnect(from: Peripheral(uuid: 1E26851E-3D5D-2834-92D2-B9C6D63AA4B5, name: nil),
            error: Optional(Error Domain=CBErrorDomain Code=6 "The connection has timed out unexpectedly."))
            """
        expect(
            conversation(text),
            equals: [
                ">0402000200", "<05010200f1ff", ">0403000300", "<050103000229", ">1203000100", "<13",
                ">0405000500", "<05010500f2ff", ">1205000102", "<13", "<1b0200164b", ">52050004", ">0a0500",
                "<010a050002", "<1b080064", "!05040001001f",
            ])
        // 15:41:16
        expect(seconds(text).last, equals: 56_476)
    }

    /// Paths of D-Bus have the handles of declarations. UUIDs are in other lines.
    @Test func bleak() {
        let path = "/org/bluez/hci0/dev_F2_11_22_33_44_55/service000c/char000d"
        let text = """
            2026-11-21 09:55:20,369 bleak.backends.bluezdbus.client DEBUG: Connecting to device @ F2:11:22:33:44:55
            2026-11-21 09:55:20,400 bleak.manager DEBUG: received D-Bus signal: org.freedesktop.DBus.Properties.PropertiesChanged (/org/bluez/hci0/dev_F2_11_22_33_44_55): ['org.bluez.Device1', {'Connected': <dbus_fast.signature.Variant ('b', True)>}, []]
            2026-11-21 09:55:20,500 bleak.manager DEBUG: received D-Bus signal: org.freedesktop.DBus.ObjectManager.InterfacesAdded (/): ['\(path)', {'org.bluez.GattCharacteristic1': {'UUID': <dbus_fast.signature.Variant ('s', \(Self.measurement))>, 'Value': <dbus_fast.signature.Variant ('ay', bytearray(b''))>}}]
            2026-11-21 09:55:20,600 bleak.manager DEBUG: received D-Bus signal: org.freedesktop.DBus.Properties.PropertiesChanged (\(path)): ['org.bluez.GattCharacteristic1', {'Notifying': <dbus_fast.signature.Variant ('b', True)>}, []]
            2026-11-21 09:55:20,700 bleak.manager DEBUG: received D-Bus signal: org.freedesktop.DBus.Properties.PropertiesChanged (\(path)): ['org.bluez.GattCharacteristic1', {'Value': <dbus_fast.signature.Variant ('ay', bytearray(b'\\x16K\\'\\n'))>}, []]
            2026-11-21 09:55:20,800 bleak.backends.bluezdbus.client DEBUG: Write Characteristic \(Self.own) | \(path): bytearray(b'\\x01')
            """
        expect(
            conversation(text),
            equals: [
                Self.connected, ">040e000e00", "<05010e00372a", ">040f000f00", "<05010f000229", ">120f000100", "<13",
                "<1b0e00164b270a", ">120e0001", "<13",
            ])
        expect(seconds(text).first, equals: 1_795_254_920)
    }

    @Test func bleakOf2020() {
        let start =
            "DEBUG:bleak.backends.bluezdbus.client:DBUS: path: /org/bluez/hci0/dev_70_B3_D5_F6_F0_49/service001d/char0039"
        let text = """
            \(start), domain: org.bluez.GattCharacteristic1, body: {'Notifying': True}
            \(start), domain: org.bluez.GattCharacteristic1, body: {'Value': [8, 112, 0, 177]}
            """
        expect(
            conversation(text),
            equals: [
                "!3e1301000100000049f0f6d5b37000000000000000", ">043b003b00", "<05013b000229", ">123b000100", "<13",
                "<1b3a00087000b1",
            ])
    }

    @Test func bluetoothctl() {
        let path = "/org/bluez/hci0/dev_F2_11_22_33_44_55/service000c/char000d"
        let text = """
            Attempting to read \(path)
            [\u{1B}[0;93mCHG\u{1B}[0m] Attribute \(path) Value:
              42 65                                            Be
            [CHG] Attribute \(path) Notifying: yes
            [CHG] Attribute \(path) Value:
              16 4b 2b 03 16 4b 2b 03 16 4b 2b 03 16 4b 2b 03  .K+..K+..K+..K+.
              16                                               .
            [bluetooth]#
            """
        let value = String(repeating: "164b2b03", count: 4) + "16"
        expect(
            conversation(text),
            equals: [
                Self.connected, ">0a0e00", "<0b4265", ">040f000f00", "<05010f000229", ">120f000100", "<13",
                "<1b0e00" + value,
            ])
    }

    /// Octets that repeat themselves are a value, except where bluetoothctl prints both copies of a read on separate lines.
    @Test func equalHalvesAreAValue() {
        let path = "/org/bluez/hci0/dev_F2_11_22_33_44_55/service000c/char000d"
        expect(
            conversation("Attempting to read \(path)\n[CHG] Attribute \(path) Value:\n  5a 5a   ZZ\n"),
            equals: [Self.connected, ">0a0e00", "<0b5a5a"])
        expect(
            conversation("Attempting to read \(path)\n[CHG] Attribute \(path) Value:\n  5a 5a   ZZ\n  5a 5a   ZZ\n"),
            equals: [Self.connected, ">0a0e00", "<0b5a5a"])
        let read = """
            peripheral.readValue(for: 2A19)
            Updated Value of Characteristic 2A19, value (0x): 5A5A
            """
        expect(conversation(read), equals: [">0402000200", "<05010200192a", ">0a0200", "<0b5a5a"])
    }

    /// bluetoothctl names the attribute that notifies, and then says that it started: one write.
    @Test func aSubscriptionThatIsSaidTwiceIsOne() {
        let path = "/org/bluez/hci0/dev_F2_11_22_33_44_55/service000c/char000d"
        let on = "[CHG] Attribute \(path) Notifying: yes\nNotify started\n"
        let off = "[CHG] Attribute \(path) Notifying: no\nNotify stopped\n"
        expect(
            conversation(on + off + on + "[CHG] Attribute \(path) Value:\n  5a   Z\n"),
            equals: [
                Self.connected, ">040f000f00", "<05010f000229", ">120f000100", "<13", ">120f000000", "<13",
                ">120f000100", "<13", "<1b0e005a",
            ])
    }

    @Test func coreBluetooth() {
        let text = """
            [12:35:26.6520] Debug: peripheral.setNotifyValue(true, for: FFF1)
            [12:35:27.6520] Debug: peripheral.writeValue(0x0102, for: FFF2, type: .withoutResponse)
            [12:35:28.6520] Info: Updated Value of Characteristic FFF1 to 0x164B.
            [12:35:29.6520] Debug: peripheral.writeValue(0x, for: FFF2, type: .withResponse)
            """
        expect(
            conversation(text),
            equals: [
                ">0402000200", "<05010200f1ff", ">0403000300", "<050103000229", ">1203000100", "<13",
                ">0405000500", "<05010500f2ff", ">5205000102", "<1b0200164b", ">120500",
            ])
    }

    /// Handles stay the same in another connection, and with another discovery.
    @Test func attributesOfADeviceAreDescribedOnce() {
        let line = "I\t10:00:00.000\tNotification received from \(Self.measurement), value: (0x) 01\n"
        let connect =
            "V\t10:00:00.000\tConnecting to F2:11:22:33:44:55...\nI\t10:00:00.000\tConnected to F2:11:22:33:44:55\n"
        let end =
            "D\t10:00:01.000\t[Callback] Connection state changed with status: 0 and new state: DISCONNECTED (0)\n"
        let text = connect + line + line + end + connect + line
        expect(
            conversation(text),
            equals: [
                Self.connected, ">0402000200", "<05010200372a", "<1b020001", "<1b020001", "!05040001001f",
                Self.connected, "<1b020001",
            ])
        let list =
            "I\t10:00:00.000\tServices discovered\nHeart Rate (0x180D)\n- Heart Rate Measurement [N] (0x2A37)\n"
        let discovery = [">100100ffff0028", "<1106010003000d18", ">08020003000328", "<0907020010030" + "0372a"]
        let found = discovery + ["<1b030001"]
        expect(conversation(connect + list + line + list + line), equals: [Self.connected] + found + found)
    }

    /// Each line goes to the device that it names, on its handle.
    @Test func twoDevicesByRemoteID() {
        let first = "remote_id: 00:11:22:33:44:55"
        let second = "remote_id: 00:11:22:33:44:66"
        let text = """
            flutter: [FBP] [[ OnConnectionStateChanged ]] result: {\(first), connection_state: 1, disconnect_reason_code: null}
            flutter: [FBP] [[ OnConnectionStateChanged ]] result: {\(second), connection_state: 1, disconnect_reason_code: null}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {\(first), characteristic_uuid: 2a37, success: 1, value: 0601, error_code: 0}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {\(second), characteristic_uuid: 2a37, success: 1, value: 0602, error_code: 0}
            flutter: [FBP] [[ OnConnectionStateChanged ]] result: {\(first), connection_state: 0, disconnect_reason_code: 8}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {\(second), characteristic_uuid: 2a37, success: 1, value: 0603, error_code: 0}
            """
        expect(
            conversation(text),
            equals: [
                Self.publicConnected, "!3e13010002000000664433221100" + "00000000000000",
                ">0402000200", "<05010200372a", "<1b02000601", ">0402000200", "<05010200372a", "<1b02000602",
                "!050400010008", "<1b02000603",
            ])
        expect(handles(text), equals: [1, 1, 1, 2, 2, 2, 2])
    }

    /// A path of D-Bus has the address, and means another characteristic on another device.
    @Test func twoDevicesByPath() {
        func path(_ end: Int) -> String { "/org/bluez/hci0/dev_F2_11_22_33_44_\(end)/service000c/char000d" }
        func added(_ end: Int, _ uuid: String) -> String {
            "DEBUG: org.freedesktop.DBus.ObjectManager.InterfacesAdded (/): ['\(path(end))', {'org.bluez.GattCharacteristic1': {'UUID': <Variant ('s', \(uuid))>}}]"
        }
        let text = """
            \(added(55, Self.measurement))
            \(added(66, Self.own))
            [CHG] Attribute \(path(55)) Value:
              16 40                                            .@
            [CHG] Attribute \(path(66)) Value:
              16 41                                            .A
            [CHG] Attribute \(path(55)) Value:
              16 42                                            .B
            """
        expect(
            conversation(text),
            equals: [
                Self.connected, ">040e000e00", "<05010e00372a", "<1b0e001640",
                "!3e130100020000016644332211f200000000000000", ">040e000e00", "<05020e00" + Self.ownOctets,
                "<1b0e001641", "<1b0e001642",
            ])
        expect(handles(text), equals: [1, 1, 1, 2, 2, 2, 1])
    }

    /// Lines without a device are of the only one that is connected.
    @Test func twoDevicesInLogcat() {
        func state(_ end: Int, _ status: Int) -> String {
            "D/BluetoothGatt(1): onClientConnectionState() - status=\(status) clientIf=8 device=00:11:22:33:44:\(end)"
        }
        func write(_ value: Int) -> String {
            "V/BleManager(1): gatt.writeCharacteristic(\(Self.measurement), value=0x0\(value), WRITE COMMAND)"
        }
        let text = """
            \(state(55, 0))
            \(state(66, 0))
            D/BluetoothGatt(1): onConfigureMTU() - Device=00:11:22:33:44:55 mtu=158 status=0
            \(write(1))
            \(state(55, 8))
            \(write(2))
            """
        expect(
            conversation(text).filter { !$0.hasPrefix("!3e") },
            equals: [
                ">029e00", "<039e00", ">0402000200", "<05010200372a", ">52020001", "!050400010008",
                ">0402000200", "<05010200372a", ">52020002",
            ])
        expect(handles(text), equals: [1, 1, 1, 1, 1, 2, 2, 2])
    }

    /// Android's own statuses are no codes of HCI and ATT: comments have them.
    @Test func androidsStatuses() throws {
        let text = """
            V 10:00:00.000 Connecting to F2:11:22:33:44:55...
            D 10:00:30.000 [Callback] Connection state changed with status: 133 and new state: DISCONNECTED (0)
            E 10:00:30.001 Error 133 (0x85): GATT ERROR
            V 10:01:00.000 Connecting to F2:11:22:33:44:55...
            D 10:01:01.000 [Callback] Connection state changed with status: 62 and new state: DISCONNECTED (0)
            V 10:02:00.000 Connecting to F2:11:22:33:44:55...
            I 10:02:01.000 Connected to F2:11:22:33:44:55
            D 10:02:02.000 gatt.writeCharacteristic(\(Self.measurement), value=0x01)
            E 10:02:03.000 Error 137 (0x89): GATT AUTH FAIL
            D 10:02:04.000 gatt.readCharacteristic(\(Self.measurement))
            E 10:02:05.000 Error 257 (0x101): FAILURE
            D 10:02:06.000 gatt.readCharacteristic(\(Self.measurement))
            E 10:02:07.000 Error 147 (0x93): TIMEOUT
            D 10:02:09.000 [Callback] Connection state changed with status: 147 and new state: DISCONNECTED (0)
            """
        let peer = "000155443322" + "11f200000000000000"
        expect(
            conversation(text),
            equals: [
                "!3e13011f0000" + peer, "!3e13013e0000" + peer, Self.connected, ">0402000200", "<05010200372a",
                ">12020001", "<011202000e", ">0a0200", "<010a02000e", ">0a0200", "<010a02000e", "!05040001001f",
            ])
        var reader = try CaptureReader(bytes: Array(text.utf8), name: "log.txt")
        var comments: [Substring] = []
        while let record = try reader.next() { comments.append(record.comments.joined().prefix(10)) }
        expect(
            comments,
            equals: [
                "status 133", "", "", "", "", "", "status 137", "", "status 257", "", "status 147", "status 147",
            ])
        let reading = Reading(Array(text.utf8))
        expect(reading.info?.cuts.map(\.kind), equals: [.noPackets, .ownStatuses])
        expect(reading.info?.cuts.last?.packets, equals: 5)
    }

    /// Also if no attempt succeeded; and another device's connection is not what failed.
    @Test func attemptsThatFailed() {
        let attempt =
            "flutter: [FBP] <connect> args: {remote_id: 00:11:22:33:44:66, auto_connect: 0}\nflutter: [FBP] [[ OnConnectionStateChanged ]] result: {remote_id: 00:11:22:33:44:66, connection_state: 0, disconnect_reason_code: 133}\n"
        func failed(_ end: String) -> String { "!3e13011f00000000" + end + "4433221100" + "00000000000000" }
        expect(conversation(attempt + attempt), equals: [failed("66"), failed("66")])
        func state(_ status: Int) -> String {
            "D/BluetoothGatt(1): onClientConnectionState() - status=\(status) clientIf=8 device=00:11:22:33:44:55\n"
        }
        expect(conversation(state(0) + attempt), equals: [Self.publicConnected, failed("66")])
        expect(
            conversation("D/BluetoothGatt(1): connect() - device: 00:11:22:33:44:55, auto: false\n" + state(257)),
            equals: [failed("55")])
    }

    /// Prose and code about the same are not logs.
    @Test(arguments: [
        "Connected to the device and Data written to the characteristic, but nothing arrives.",
        "gatt.writeCharacteristic(characteristic)",
        "I get no Notification received from \(measurement), why?",
        "peripheral.setNotifyValue(true, for: characteristic)",
        "peripheral.writeValue(0xyz, for: FFF2)",
        "Connected to F2:11:22:33:44:55", "Why do I get MTU changed to: 23?",
        "The MTU changed to 23. What does descriptor 2902 handle?",
    ])
    func proseIsNotALog(text: String) {
        expect(Reading(Array((text + "\n").utf8)).error?.kind, equals: .unknownFormat)
    }

    /// An MTU with its time or its device, and an attribute: of a text that has nothing better.
    @Test func anMTUOrAnAttributeMakesALog() {
        for text in [
            "10:00:00 bluetoothd[8]: src/device.c:gatt_debug() MTU exchange complete, with MTU: 23",
            "[V][esp32_ble_client:125]: [0] [F2:11:22:33:44:55] cfg_mtu status 0, mtu 23",
            "D/BluetoothGatt: Connected to F2:11:22:33:44:55\nMTU changed to: 23",
        ] {
            expect(conversation(text + "\n").suffix(2), equals: [">021700", "<031700"])
        }
        expect(
            conversation("DEBUG:pygatt.device:Found <Characteristic uuid=\(Self.measurement) handle=32>\n"),
            equals: [">0420002000", "<050120003" + "72a"])
    }

    @Test func whatLacksItsValuesIsNamed() {
        let text = "Hello,\nD Data written to \(Self.measurement)\n"
        #expect(
            Reading(Array(text.utf8)).error?.reason.hasSuffix(
                "line 2 looks like a log of nRF Connect, but without values") == true)
    }

    /// LightBlue, for example: no description of its log is known.
    @Test func anAppThatIsNotKnownIsNamedAsOne() {
        let text = "Hello,\n10:21:05.123  Characteristic 2A37 notified: 0x164B\n"
        #expect(
            Reading(Array(text.utf8)).error?.reason.hasSuffix(
                "line 2 looks like a log of an app, but not in words that attlas knows (the nearest are those of nRF Connect)"
            ) == true)
    }

    /// Around it, other logs are separate captures.
    @Test func eachFenceIsACapture() throws {
        let text =
            "A log:\n```\n\(Self.nordic)\n```\nand\n```\nCMD => 03 0C 00\n```\n> I\t1:00\tNotification received from \(Self.own), value: (0x) 01\n"
        let captures = CaptureSetReading(Array(text.utf8), name: "issue.md")
        expect(captures.records.map(\.count), equals: [21, 1, 3])
    }

    /// A value that is not octets, or too many for an attribute (512: Vol 3, Part F, 3.2.9), is a record that cannot be read.
    @Test func unreadableValuesAreCounted() {
        let start = "I 10:00:00.000 Notification received from \(Self.measurement), value: (0x) "
        let text = """
            \(start)01
            \(start)16-4
            \(start)zz
            \(start)-16
            \(start)１６
            \(start)\(String(repeating: "00", count: 513))
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {characteristic_uuid: 2a37, success: 1, value: 164, error_code: 0}
            flutter: [FBP] [[ OnCharacteristicReceived ]] result: {characteristic_uuid: 2a37, success: 0, value: null, error_code: 5}
            \(start)02
            """
        let reading = Reading(Array(text.utf8))
        let faults = reading.records.compactMap {
            if case .broken(let fault) = $0.content { fault.reason } else { nil }
        }
        let unreadable = "line of an operation whose value is not readable as octets"
        expect(
            faults,
            equals: [
                unreadable, unreadable, unreadable, unreadable, "value of 513 octets is longer than an attribute's 512",
                unreadable,
            ])
        #expect(reading.records.count == 11 && reading.records.last?.bytes.last == 2)
    }

    /// A value longer than any attribute, a number that is none, and a long list do no harm.
    @Test func nonsenseIsPassedOver() {
        let long = String(repeating: "00", count: 600)
        let text = """
            I Notification received from \(Self.measurement), value: (0x) 01
            I Notification received from \(Self.measurement), value: (0x) \(long)
            I Connection parameters updated (interval: 99999999.0ms, latency: 0, timeout: 5000ms)
            I Services discovered
            Heart Rate (0x180D)
            \(String(repeating: "- X [N] (0x2A37)\n", count: 9_000))
            I Notification received from \(Self.measurement), value: (0x) 02
            """
        let reading = Reading(Array(text.utf8))
        #expect(reading.records.count < 9_000 && reading.records.last?.bytes.last == 2)
    }

    // MARK: What the log does not have

    /// A second end is the first; and a connection that is used has begun.
    @Test func endsAndBeginningsThatAreNotInTheLog() {
        let gone = "[CHG] Device F2:11:22:33:44:55 Connected: no\n"
        let used = "D/BluetoothGatt(1): readRssi() - device: F2:11:22:33:44:55\n"
        let ended = "D/BluetoothGatt(1): onClientConnectionState() - status=0 clientIf=6 device=F2:11:22:33:44:55\n"
        expect(conversation(ended + gone + gone), equals: [Self.connected, "!05040001001f"])
        expect(conversation(used + ended), equals: [Self.connected, "!05040001001f"])
        let asked = "D/BluetoothGatt(1): disconnect() - device: F2:11:22:33:44:55\n"
        expect(conversation(used + asked + ended), equals: [Self.connected, "!050400010016"])
        // Another client of the stack shares the connection.
        let other = ended.replacing("clientIf=6", with: "clientIf=7")
        expect(conversation(ended + other), equals: [Self.connected])
        expect(conversation(ended + other + ended), equals: [Self.connected, "!05040001001f"])
    }

    /// A resolvable private address may look like a public one, but for two bits.
    @Test(arguments: [("F2", "01"), ("5B", "01"), ("5A", "01"), ("59", "01"), ("58", "00"), ("A5", "00"), ("02", "00")])
    func theTypeOfAnAddress(first: String, type: String) {
        let address = "\(first):11:22:33:44:55"
        let text = "[CHG] Device \(address) Connected: yes\n[CHG] Device \(address) Connected: no\n"
        expect(
            conversation(text).first,
            equals: "!3e1301000100" + "00" + type + "5544332211" + first.lowercased() + "00000000000000")
    }

    /// What came before the first time, and the lines of a list, have the times of the lines around them.
    @Test func linesWithoutATime() {
        let list = """
            I Notification received from \(Self.measurement), value: (0x) 01
            V\t10:00:01.000\tDevice F2:11:22:33:44:55 is ready
            D\t10:00:02.000\t[Callback] Services discovered with status: 0
            I\t10:00:02.000\tServices discovered
            Heart Rate (0x180D)
            - Heart Rate Measurement [N] (0x2A37)
            D\t10:00:09.000\t[Callback] Connection state changed with status: 8 and new state: DISCONNECTED (0)
            """
        let records = Reading(Array(list.utf8)).records
        expect(Set(records.dropLast().map(\.time.seconds)).count, equals: 1)
        #expect(records.last.map { $0.time.seconds - records[0].time.seconds } == 7)
    }

    /// The line of another program, which has a time, does not belong to a call in several lines; its time is no part of the value.
    @Test func aLineWithAMeaningEndsACallInSeveralLines() {
        func line(_ second: Int, _ text: String) -> String { "07-01 10:00:0\(second).000 D/\(text)\n" }
        let state = "BluetoothGatt(1): onClientConnectionState() - "
        let connected = line(0, state + "status=0 clientIf=6 device=F2:11:22:33:44:55")
        let lost = line(2, state + "status=8 clientIf=6 device=F2:11:22:33:44:55")
        expect(
            conversation(connected + line(1, "MyApp(1): onCharacteristicWrite: ok") + lost),
            equals: [Self.connected, "!050400010008"])
    }

    /// Octets with 0x before each or before all, with commas, and decimal ones in a list.
    @Test(
        arguments: [
            ("{value:hex}", ["0x68 0x69", "0x68, 0x69", "0x6869", "68, 69", "68 69"]),
            ("{value}", ["0x68 0x69", "{0x68,0x69}", "0x6869", "[104, 105]"]),
        ] as [(String, [String])])
    func valuesInSeveralForms(field: String, values: [String]) throws {
        let reader = "name: Form\nlines:\n  - line: 'value of {uuid}: \(field)'\n    means: notification\n"
        let readers = LogReaders([try LogReaderFile.read(reader, name: "form.yaml")], isForced: true)
        for value in values {
            var lines = AppLines(readers)
            let text = Array("value of 2A37: \(value)".utf8)
            let step = lines.take(Bytes(text.span))?.step
            #expect(step == .operation(.notification, .characteristic([0x37, 0x2A]), value: [0x68, 0x69]), "\(value)")
        }
    }

    /// The day and the time of UTC, if the log has its distance; else it is said that they are local.
    @Test func zones() throws {
        func reading(_ time: String) throws -> (Int64?, Bool?) {
            let text = "\(time) D/BluetoothGatt(1): onClientConnectionState() - status=8 device=F2:11:22:33:44:55\n"
            let reading = Reading(Array(text.utf8))
            return (reading.records.first?.time.seconds, reading.info?.lacksZone)
        }
        #expect(try reading("2026-08-28T08:52:28.000-0700") == (1_787_932_348, false))
        #expect(try reading("2026-08-28T15:52:28Z") == (1_787_932_348, false))
        #expect(try reading("2026-08-28 17:52:28.5 +02:00") == (1_787_932_348, false))
        #expect(try reading("2026-08-28 15:52:28") == (1_787_932_348, true))
    }
}
