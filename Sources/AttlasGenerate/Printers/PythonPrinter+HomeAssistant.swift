import AttlasDissection
import AttlasWire

/// A parser for Home Assistant: a class as the packages of the Bluetooth-Devices organization have it, for bluetooth-sensor-state-data.
extension PythonPrinter {
    func printParser() {
        let codecs = form.codecs.filter { $0.definition.kind.isAdvertised }
        code.lines(
            """


            from bluetooth_sensor_state_data import BluetoothData as _BluetoothData  # noqa: E402
            from home_assistant_bluetooth import BluetoothServiceInfo as _BluetoothServiceInfo  # noqa: E402
            from sensor_state_data import SensorDeviceClass as _DeviceClass, Units as _Units  # noqa: E402


            class \(form.name.adding("Bluetooth").adding("device").adding("data").pascal)(_BluetoothData):
                \"""What devices measure, as they advertise it. Octets that do not fit the layout change nothing.\"""

                def _start_update(self, data: _BluetoothServiceInfo) -> None:
            """)
        code.indent()
        code.indent()
        // Home Assistant keeps data under all numbers that it heard; that in the place of a company's is new each time.
        if codecs.contains(where: { $0.definition.condition?.company == nil && $0.definition.condition != nil }) {
            code.line("changed = self.changed_manufacturer_data(data)  # Once for each advertisement.")
        }
        for codec in codecs { printUpdate(codec) }
        code.outdent()
        for codec in codecs { printSensors(codec) }
        code.outdent()
    }

    /// What of an advertisement the definition reads.
    private func printUpdate(_ codec: Codec) {
        let definition = codec.definition
        let update = "self._update_\(codec.root.name.snake)"
        if definition.kind == .serviceData {
            let uuid = Self.text(definition.uuid)
            code.lines("if \(uuid) in data.service_data:\n    \(update)(data, data.service_data[\(uuid)])")
            return
        }
        guard let condition = definition.condition else {
            let company = "\(definition.uuid.uint16 ?? 0)"
            code.lines(
                "if \(company) in data.manufacturer_data:\n    \(update)(data, data.manufacturer_data[\(company)])")
            return
        }
        let source = condition.company == nil ? "changed" : "data.manufacturer_data"
        code.line("for company, octets in \(source).items():")
        var tests: [String] = []
        if let company = condition.company { tests.append("company == \(company)") }
        if !condition.lengths.isEmpty {
            tests.append("len(octets) in (\(condition.lengths.map { "\($0)," }.joined(separator: " ")))")
        }
        if !condition.names.isEmpty {
            tests.append(
                "data.name.startswith((\(condition.names.map { Self.text($0) + "," }.joined(separator: " "))))")
        }
        if !condition.services.isEmpty {
            let services = condition.services.map { Self.text($0) }.joined(separator: ", ")
            tests.append("{\(services)} & {*data.service_uuids, *data.service_data}")
        }
        // The number in the place of the company's belongs to the data.
        let octets = condition.company == nil ? "company.to_bytes(2, \"little\") + octets" : "octets"
        code.lines("    if \(tests.joined(separator: " and ")):\n        \(update)(data, \(octets))")
    }

    private func printSensors(_ codec: Codec) {
        let name = codec.root.name
        let device = Self.text(codec.definition.name)
        code.lines(
            """

            def _update_\(name.snake)(self, data: _BluetoothServiceInfo, octets: bytes) -> None:
                try:
                    value = \(name.pascal).decode(octets)
                except CodecError:
                    return
                self.set_device_type(\(device))
                self.set_device_name((data.name or \(device)) + " " + data.address[-5:].replace(":", ""))
            """)
        code.indent()
        for member in codec.root.stored { printSensor(member, of: codec.root) }
        code.outdent()
    }

    private func printSensor(_ member: CodecMember, of record: CodecRecord) {
        guard let field = member.field, member.presence != .repeated, !field.name.hasPrefix("Reserved") else { return }
        let stored = "value.\(storedName(member))"
        // Layouts of one definition have one sensor of a name.
        let others = record.stored.filter { $0.field?.name == field.name }
        let isAlone = others.count == 1 || others.allSatisfy { $0.presence == .optional }
        let name = isAlone ? CodeName(field.name) : member.name
        let (key, title) = (Self.text(name.snake), Self.text(field.name))
        var guards: [String] = isOptional(member) ? ["\(stored) is not None"] : []
        if !field.bits.isEmpty {
            for bit in field.bits where bit.mask & member.derivedMask == 0 && !bit.name.hasPrefix("Reserved") {
                let (key, title) = (Self.text(CodeName(bit.name).snake), Self.text(bit.name))
                let number = "(\(stored) & \(bit.mask)) >> \(bit.mask.trailingZeroBitCount)"
                call(
                    bit.isFlag
                        ? "update_binary_sensor(\(key), \(stored) & \(bit.mask) != 0, None, \(title))"
                        : "update_sensor(\(key), None, \(number), None, \(title))", guards)
            }
            return
        }
        let shown: String
        switch member.kind {
        case .number: break
        case .computed: return printComputed(stored, key, title, guards, field)
        case .octets, .record, .unexplained, .check, .context: return
        }
        if member.presentation == nil {
            shown = stored
            if !field.specials.isEmpty { guards.append("not \(specialCondition(field, stored))") }
        } else {
            shown = "value.\(member.name.snake)"
            if !field.specials.isEmpty { guards = ["\(shown) is not None"] }
        }
        if case .ranges(let ranges) = field.labels, field.unit == nil {
            let names = ranges.filter { $0.first == $0.last }.map { "\($0.first): \(Self.text($0.label))" }
            let text = "{\(names.joined(separator: ", "))}.get(\(shown), str(\(shown)))"
            return call("update_sensor(\(key), None, \(text), None, \(title))", guards)
        }
        let (unit, device) = Self.quantity(field)
        call("update_sensor(\(key), \(unit), \(shown), \(device), \(title))", guards)
    }

    private func printComputed(
        _ stored: String, _ key: String, _ title: String, _ guards: [String], _ field: FieldDefinition
    ) {
        let parts = field.scale.map(\.parts) ?? (1, 0, 1)
        guard let parts else { return }
        let isWhole = parts == (1, 0, 1)
        let shown = isWhole ? stored : "(\(stored) * \(parts.factor) + \(parts.addend)) / \(parts.divisor)"
        let (unit, device) = Self.quantity(field)
        let special = field.specials.isEmpty ? [] : ["not \(specialCondition(field, stored))"]
        call("update_sensor(\(key), \(unit), \(shown), \(device), \(title))", guards + special)
    }

    private func call(_ call: String, _ guards: [String]) {
        if !guards.isEmpty { code.line("if \(guards.joined(separator: " and ")):") }
        code.line((guards.isEmpty ? "" : "    ") + "self.\(call)")
    }

    /// Units and device classes of sensor-state-data. The name of the field distinguishes those that share a unit.
    private static func quantity(_ field: FieldDefinition) -> (unit: String, deviceClass: String) {
        let name = field.name.lowercased()
        func named(_ part: String, _ deviceClass: String) -> String? {
            name.contains(part) ? "_DeviceClass.\(deviceClass)" : nil
        }
        switch field.unit {
        case "°C": return ("_Units.TEMP_CELSIUS", "_DeviceClass.TEMPERATURE")
        case "°F": return ("_Units.TEMP_FAHRENHEIT", "_DeviceClass.TEMPERATURE")
        case "%":
            let device = named("batter", "BATTERY") ?? named("humidity", "HUMIDITY") ?? named("moisture", "MOISTURE")
            return ("_Units.PERCENTAGE", device ?? "None")
        case "Pa": return ("_Units.PRESSURE_PA", "_DeviceClass.PRESSURE")
        case "hPa": return ("_Units.PRESSURE_HPA", "_DeviceClass.PRESSURE")
        case "kPa": return ("_Units.PRESSURE_KPA", "_DeviceClass.PRESSURE")
        case "mV": return ("_Units.ELECTRIC_POTENTIAL_MILLIVOLT", "_DeviceClass.VOLTAGE")
        case "V": return ("_Units.ELECTRIC_POTENTIAL_VOLT", "_DeviceClass.VOLTAGE")
        case "mA": return ("_Units.ELECTRIC_CURRENT_MILLIAMPERE", "_DeviceClass.CURRENT")
        case "A": return ("_Units.ELECTRIC_CURRENT_AMPERE", "_DeviceClass.CURRENT")
        case "W": return ("_Units.POWER_WATT", "_DeviceClass.POWER")
        case "Wh": return ("_Units.ENERGY_WATT_HOUR", "_DeviceClass.ENERGY")
        case "kWh": return ("_Units.ENERGY_KILO_WATT_HOUR", "_DeviceClass.ENERGY")
        case "lx": return ("_Units.LIGHT_LUX", "_DeviceClass.ILLUMINANCE")
        case "dBm": return ("_Units.SIGNAL_STRENGTH_DECIBELS_MILLIWATT", "_DeviceClass.SIGNAL_STRENGTH")
        case "ppm":
            return ("_Units.CONCENTRATION_PARTS_PER_MILLION", named("co₂", "CO2") ?? named("co2", "CO2") ?? "None")
        case "µg/m³":
            return (
                "_Units.CONCENTRATION_MICROGRAMS_PER_CUBIC_METER",
                named("pm2.5", "PM25") ?? named("pm10", "PM10") ?? "None"
            )
        case "s": return ("_Units.TIME_SECONDS", "_DeviceClass.DURATION")
        case "min": return ("_Units.TIME_MINUTES", "_DeviceClass.DURATION")
        case "h": return ("_Units.TIME_HOURS", "_DeviceClass.DURATION")
        case "d": return ("_Units.TIME_DAYS", "_DeviceClass.DURATION")
        case "g": return ("_Units.MASS_GRAMS", "_DeviceClass.MASS")
        case "kg": return ("_Units.MASS_KILOGRAMS", "_DeviceClass.MASS")
        case "mm": return ("_Units.LENGTH_MILLIMETERS", "_DeviceClass.DISTANCE")
        case "m": return ("_Units.LENGTH_METERS", "_DeviceClass.DISTANCE")
        default: return ("None", "None")
        }
    }

    /// All 128 bits, as bleak has them.
    private static func text(_ uuid: BluetoothUUID) -> String {
        let digits = String(uuid.value, radix: 16)
        let all = Array(String(repeating: "0", count: 32 - digits.utf8.count) + digits)
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }
        return text(groups.joined(separator: "-"))
    }

    /// A literal of the whole text: printable ASCII, with escapes for the rest.
    private static func text(_ text: String) -> String {
        let plain = text.unicodeScalars.map { scalar -> String in
            if " "..."~" ~= scalar, scalar != "\"", scalar != "\\" {
                return String(scalar)
            }
            let digits = String(scalar.value, radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
        }
        return "\"\(plain.joined())\""
    }
}
