import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Values of attributes.
extension Anonymizer {
    /// What happens to a value.
    private enum Fate {
        case keep
        case all(Treatment)
        /// It stays if it may be a Client Characteristic Configuration, of which attlas concludes more.
        case configuration
        /// Fields of it, whose ranges count from its beginning.
        case fields([Edit])
        /// Its numbers become others.
        case random(Dissector, Dissection, AttributeAccess)
    }

    mutating func anonymize(_ operation: ATTOperation, of event: borrowing Event, in trace: borrowing Trace) {
        var places: [(range: Range<Int>, fate: Fate)] = []
        var end = 0
        event.forEachAttribute(in: trace) { attribute in
            guard let count = attribute.count, attribute.listing == nil || attribute.type != nil else { return true }
            let start = Self.start(of: attribute.index, count, after: end, in: operation.opcode)
            end = start + count
            places.append((start..<end, fate(of: attribute, in: trace)))
            return true
        }
        let opcode = operation.opcode
        let isSigned = opcode.rawValue == 0xD2
        var header = 0
        if case .enhanced = operation.bearer { header = 2 }
        gather(event, skipping: header) { anonymizer, frame in
            let isPart = anonymizer.secrets.isPartOfSecret(frame)
            for (index, place) in places.enumerated() {
                anonymizer.edit(
                    isPart ? .all(.zero) : place.fate, place.range.clamped(to: 0..<anonymizer.scratch.count), frame,
                    index)
            }
            anonymizer.editRest(of: opcode, after: places.last?.range.upperBound, isSigned: isSigned)
        }
    }

    /// Where the value of an attribute begins in its PDU.
    ///
    /// - Parameter end: Of the value before it; 0 for the first.
    private static func start(of index: Int, _ count: Int, after end: Int, in opcode: ATTOpcode) -> Int {
        switch opcode.rawValue {
        // Read, Read Blob and Read Multiple Response.
        case 0x0B, 0x0D, 0x0F: 1
        // Prepare Write Request and Response.
        case 0x16, 0x17: 5
        // Find By Type Value Request.
        case 0x06: 7
        // Read By Type Response: after the length of an item, and its handle.
        case 0x09: 2 + index * (count + 2) + 2
        // Read Multiple Variable Response: each with its length.
        case 0x21: max(end, 1) + 2
        // Multiple Handle Value Notification: each with its handle and its length.
        case 0x23: max(end, 1) + 4
        default: 3
        }
    }

    /// - Parameter end: Of the last value.
    private mutating func editRest(of opcode: ATTOpcode, after end: Int?, isSigned: Bool) {
        func add(_ start: Int, _ end: Int, _ treatment: Treatment) {
            if start < min(end, scratch.count) {
                edits.append(Edit(range: start..<min(end, scratch.count), treatment: treatment))
            }
        }
        switch (opcode.definition?.length, end) {
        case (nil, _): add(1, .max, .unknown)
        case (.exactly(let length), _): add(length, .max, .unknown)
        case (.atLeast, let end?) where isSigned:
            // The counter of the Authentication Signature stays. Vol 3, Part H, 2.4.5.
            add(end + 4, end + 12, .octets)
            add(end + 12, .max, .unknown)
        case (.atLeast, let end?): add(end, .max, .unknown)
        case (.atLeast, nil): break
        }
    }

    private mutating func edit(_ fate: Fate, _ range: Range<Int>, _ frame: Int, _ index: Int) {
        switch fate {
        case .keep: break
        case .all(let treatment): edits.append(Edit(range: range, treatment: treatment))
        case .configuration:
            let isOne = range.count == 2 && scratch[range.lowerBound] < 4 && scratch[range.lowerBound + 1] == 0
            if !isOne { edits.append(Edit(range: range, treatment: .unknown)) }
        case .fields(let fields):
            for field in fields {
                let place = field.range.lowerBound + range.lowerBound..<field.range.upperBound + range.lowerBound
                edits.append(Edit(range: place.clamped(to: range), treatment: field.treatment))
            }
        case .random(let dissector, let dissection, let access):
            guard !isCollecting else { return }
            outcome.values += 1
            var value = RandomValue(
                Array(scratch[range]), dissector, dissection, access,
                secrets.pseudonyms.generator(frame: frame, index: index))
            write(value.replaced(), at: range.lowerBound)
        }
    }

    // MARK: Fate

    private mutating func fate(of attribute: borrowing AttributeValue, in trace: borrowing Trace) -> Fate {
        guard let type = attribute.type else {
            if choice.keepsValues { return .keep }
            return attribute.access == .write ? .configuration : .all(.unknown)
        }
        let uuid = trace.uuids[type]
        if let identity = Self.identities[uuid] { return .all(identity) }
        let isKept = choice.keepsValues || choice.keptTypes.contains(uuid)
        guard isKept || uuid.isAssigned else { return .all(.zero) }
        let role = attribute.attribute?.role
        guard role == .value || role == nil else { return role == .declaration ? .keep : fateOfDescriptor(uuid) }
        let sensitivity = attribute.attribute.flatMap { values.sensitivity(of: $0, in: trace) }
        guard let reading = values.read(attribute, in: trace) else {
            if isKept { return .keep }
            // Parts of values, and values of types without a definition.
            return sensitivity == nil && library.dissector(for: uuid) != nil ? .keep : .all(.unknown)
        }
        let dissector = reading.dissector
        guard !isKept || sensitivity?.subject == .identity else { return fields(dissector, unexplained: nil) }
        switch sensitivity?.subject ?? dissector.sensitivity?.subject {
        case .input, .messages: return .all(.zero)
        case .health, .location, .identity:
            guard reading.isDissected, !reading.isPartial, reading.message == nil else { return .all(.zero) }
            return .random(dissector, values.dissection, attribute.access)
        case nil:
            return reading.message == nil ? fields(dissector, unexplained: .unknown) : .keep
        }
    }

    /// Addresses and keys in a value that stays.
    private func fields(_ dissector: Dissector, unexplained: Treatment?) -> Fate {
        let dissection = values.dissection
        var edits: [Edit] = []
        for index in 0..<dissection.count {
            let field = dissection[index]
            if field.field == DissectedField.unexplainedOctets {
                if let unexplained { edits.append(Edit(range: field.range, treatment: unexplained)) }
                continue
            }
            switch dissector.fields[Int(field.field)].type {
            case .address: edits.append(Edit(range: field.range, treatment: .address(isRandom: nil)))
            case .secret: edits.append(Edit(range: field.range, treatment: .key))
            default: break
            }
        }
        if let unexplained, !dissection.unexplained.isEmpty {
            edits.append(Edit(range: dissection.unexplained, treatment: unexplained))
        }
        return edits.isEmpty ? .keep : .fields(edits)
    }

    private func fateOfDescriptor(_ uuid: BluetoothUUID) -> Fate {
        library.dissector(for: uuid) == nil ? .all(.unknown) : .keep
    }

    /// Values that name one device, whatever their definitions say.
    private static let identities: [BluetoothUUID: Treatment] = [
        // Device Name, Serial Number String, UDI for Medical Devices.
        BluetoothUUID(0x2A00 as UInt16): .text,
        BluetoothUUID(0x2A25 as UInt16): .text,
        BluetoothUUID(0x2BFF as UInt16): .text,
        // System ID, IEEE 11073-20601 Regulatory Certification Data List.
        BluetoothUUID(0x2A23 as UInt16): .octets,
        BluetoothUUID(0x2A2A as UInt16): .octets,
        // Reconnection Address.
        BluetoothUUID(0x2A03 as UInt16): .address(isRandom: nil),
    ]
}

extension BluetoothUUID {
    /// Assigned by the Bluetooth SIG to a type of the specifications: not to a member, nor a vendor's.
    fileprivate var isAssigned: Bool { uint16.map { $0 < 0xF000 } ?? false }
}
