import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Values of attributes.
extension Anonymizer {
    /// The treatment of a value.
    private enum Fate {
        case keep
        case all(Treatment)
        /// It stays if it may be a Client Characteristic Configuration, of which attlas concludes more.
        case configuration
        /// A long value whose definition explains only this number of octets.
        case part(explained: Int)
        case read(ReadValue)
    }

    /// A value that a definition reads.
    private struct ReadValue {
        let dissector: Dissector
        let dissection: Dissection
        let access: AttributeAccess
        /// Edits of its fields; their ranges count from its beginning.
        let edits: [Edit]
        /// Its numbers become others.
        let isMeasured: Bool
    }

    mutating func anonymize(_ operation: ATTOperation, of event: borrowing Event, in trace: borrowing Trace) {
        var places: [(range: Range<Int>, fate: Fate)] = []
        var end = 0
        event.forEachAttribute(in: trace) { attribute in
            guard let count = attribute.count else { return true }
            let start = Self.start(of: attribute.index, count, after: end, in: operation.opcode)
            end = start + count
            // Not of the attribute where the search begins.
            let isSearch = operation.opcode == .findByTypeValueRequest
            var fate = isSearch ? Fate.all(.unknown) : fate(of: attribute, in: trace)
            if case .service = attribute.listing { fate = .keep }
            places.append((start..<end, fate))
            return true
        }
        let opcode = operation.opcode
        let isSigned = opcode == .signedWriteCommand
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
    /// - Parameter end: End of the value before it; 0 for the first.
    private static func start(of index: Int, _ count: Int, after end: Int, in opcode: ATTOpcode) -> Int {
        switch opcode {
        case .readResponse, .readBlobResponse, .readMultipleResponse: 1
        case .prepareWriteRequest, .prepareWriteResponse: 5
        case .findByTypeValueRequest: 7
        // After the length of an item, and its handle.
        case .readByTypeResponse: 2 + index * (count + 2) + 2
        // Each with its length.
        case .readMultipleVariableResponse: max(end, 1) + 2
        // Each with its handle and its length.
        case .multipleHandleValueNotification: max(end, 1) + 4
        default: 3
        }
    }

    /// - Parameter end: End of the last value.
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
        case .part(let explained):
            // The Value Offset of a Prepare Write is before the part.
            let offset = range.lowerBound == 5 ? Int(Bytes(scratch.span).uint16(at: 3)) : 0
            let start = min(range.lowerBound + max(0, explained - offset), range.upperBound)
            edits.append(Edit(range: start..<range.upperBound, treatment: .unknown))
        case .read(let value): edit(value, range, frame, index)
        }
    }

    /// At once, because checksums cover the new value.
    private mutating func edit(_ value: ReadValue, _ range: Range<Int>, _ frame: Int, _ index: Int) {
        let first = Array(scratch[range])
        for edit in value.edits {
            let place = edit.range.lowerBound + range.lowerBound..<edit.range.upperBound + range.lowerBound
            apply(Edit(range: place.clamped(to: range), treatment: edit.treatment), frame: frame)
        }
        guard !isCollecting else { return }
        replaceSecrets(in: range)
        var numbers = RandomValue(
            Array(scratch[range]), insteadOf: first, value.dissector, value.dissection, value.access,
            secrets.pseudonyms.generator(frame: frame, index: index))
        if value.isMeasured {
            outcome.values += 1
            numbers.change()
        }
        write(numbers.renewed(), at: range.lowerBound)
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
        guard isKept || uuid.isAssigned else { return results(attribute, in: trace) }
        let role = attribute.attribute?.role
        if role == .declaration { return .keep }
        let sensitivity = attribute.attribute.flatMap { values.sensitivity(of: $0, in: trace) }
        guard let reading = values.read(attribute, in: trace) else {
            // Parts of values, and values of types without a definition.
            if isKept { return .keep }
            guard let defined = library.dissector(for: uuid), defined.isHarmless else { return .all(.unknown) }
            switch Self.judgement(uuid, nil) {
            case .description: return .keep
            case .numbers: return .part(explained: defined.explainedLength(attribute.access))
            case .identity, .person, .nothing: return .all(.unknown)
            }
        }
        let dissector = reading.dissector
        let access = attribute.access
        guard !isKept || sensitivity?.subject == .identity else {
            return read(dissector, access, .description, isKept: true)
        }
        let judgement = Self.judgement(uuid, sensitivity?.subject ?? dissector.sensitivity?.subject)
        if judgement == .nothing { return .all(.zero) }
        guard reading.isDissected, reading.message == nil else {
            return .all(judgement == .person ? .zero : .unknown)
        }
        return read(dissector, access, judgement)
    }

    /// A vendor's value keeps only the request and its outcome: names of numbers, from which incidents are made.
    private mutating func results(_ attribute: borrowing AttributeValue, in trace: borrowing Trace) -> Fate {
        guard let reading = values.read(attribute, in: trace), reading.dissector.hasOutcomes,
            reading.dissector.sensitivity == nil, reading.isDissected, reading.message == nil
        else { return .all(.zero) }
        let (dissector, dissection) = (reading.dissector, values.dissection)
        var edits: [Edit] = []
        var end = 0
        for index in 0..<dissection.count {
            let field = dissection[index]
            guard field.field != DissectedField.unexplainedOctets else { continue }
            let description = dissector.fields[Int(field.field)]
            guard description.outcome != nil || description.isGiven || dissector.label(of: field) != nil else {
                continue
            }
            if field.range.lowerBound > end {
                edits.append(Edit(range: end..<field.range.lowerBound, treatment: .zero))
            }
            end = max(end, field.range.upperBound)
        }
        edits.append(Edit(range: end..<max(end, attribute.count ?? 0), treatment: .zero))
        return .read(
            ReadValue(
                dissector: dissector, dissection: dissection, access: attribute.access, edits: edits,
                isMeasured: false))
    }

    /// How much of the values of a type stays.
    package enum Judgement: String {
        /// Names one device: replaced as a whole, the same everywhere.
        case identity
        /// Measurements and properties of a person: other numbers, other texts, and nothing else.
        case person
        /// Numbers stay; texts are replaced, and octets become 0.
        case numbers
        /// Shows the type of device: octets that its definition explains stay.
        case description
        /// Becomes 0.
        case nothing
    }

    /// - Parameter subject: The information that its definition protects.
    package static func judgement(_ type: BluetoothUUID, _ subject: Sensitivity.Subject?) -> Judgement {
        if identities[type] != nil { return .identity }
        guard type.isAssigned else { return .nothing }
        switch subject {
        case .input, .messages: return .nothing
        case .health, .location, .identity: return .person
        case nil where measured.contains(type): return .person
        case nil: return texts.contains(type) ? .description : .numbers
        }
    }

    /// - Parameter isKept: Octets after the end stay, which the definition does not explain.
    private func read(
        _ dissector: Dissector, _ access: AttributeAccess, _ judgement: Judgement, isKept: Bool = false
    ) -> Fate {
        let isMeasured = judgement == .person
        let (edits, hasCheck) = Self.edits(of: values.dissection, dissector, judgement, isKept: isKept)
        guard isMeasured || hasCheck || !edits.isEmpty else { return .keep }
        return .read(
            ReadValue(
                dissector: dissector, dissection: values.dissection, access: access, edits: edits,
                isMeasured: isMeasured))
    }

    /// The edits of a value that a definition reads, and whether it has a checksum.
    static func edits(
        of dissection: Dissection, _ dissector: Dissector, _ judgement: Judgement, isKept: Bool = false
    ) -> (edits: [Edit], hasCheck: Bool) {
        var edits: [Edit] = []
        var hasCheck = false
        let isOpen = isKept || judgement == .description
        let listsUnknown = !isOpen && judgement != .person
        for index in 0..<dissection.count {
            let field = dissection[index]
            guard field.field != DissectedField.unexplainedOctets else {
                if listsUnknown { edits.append(Edit(range: field.range, treatment: .unknown)) }
                continue
            }
            let description = dissector.fields[Int(field.field)]
            if description.check != nil { hasCheck = true }
            if description.constant != nil, !field.hasWrongCheck { continue }
            switch description.type {
            case .address: edits.append(Edit(range: field.range, treatment: .address(isRandom: nil)))
            case .secret: edits.append(Edit(range: field.range, treatment: .key))
            case .utf8, .utf8z, .coded(.decimalText), .coded(.hexadecimalText):
                if !isOpen { edits.append(Edit(range: field.range, treatment: .text)) }
            case .bytes:
                if listsUnknown, description.role != .padding {
                    edits.append(Edit(range: field.range, treatment: .unknown))
                }
            default: break
            }
        }
        if !isKept, judgement != .person, !dissection.unexplained.isEmpty {
            edits.append(Edit(range: dissection.unexplained, treatment: .unknown))
        }
        return (edits, hasCheck)
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

    /// Values that show the type of the device and its features: Manufacturer Name, Model Number, Firmware, Hardware and Software Revision;
    /// PnP ID; Database Hash, Client and Server Supported Features; Report Map; codecs, contexts and capabilities of audio; and the
    /// descriptors of configuration.
    private static let texts: Set<BluetoothUUID> = Set(
        [
            0x2A29, 0x2A24, 0x2A26, 0x2A27, 0x2A28, 0x2A50, 0x2B2A, 0x2B29, 0x2B3A, 0x2A4B, 0x2BC4, 0x2BC5, 0x2BC6,
            0x2BC9,
            0x2BCB, 0x2902, 0x2903, 0x2904, 0x2906, 0x2907, 0x2908, 0x290B, 0x290C, 0x290D, 0x290E,
        ].map { BluetoothUUID($0 as UInt16) })

    /// Values of people that lint does not call sensitive: training on machines, running, cycling, unread messages, and where and when it
    /// was.
    private static let measured: Set<BluetoothUUID> = Set(
        [
            0x2A53, 0x2A5B, 0x2A63, 0x2A64, 0x2ACD, 0x2ACE, 0x2ACF, 0x2AD0, 0x2AD1, 0x2AD2, 0x2AD3, 0x2A6C, 0x2A0F,
            0x2AB5, 0x2AB4, 0x2BBE, 0x2A0E, 0x2A10, 0x2A2C, 0x2A2F, 0x2A30, 0x2A45, 0x2A6B, 0x2AEC,
        ].map { BluetoothUUID($0 as UInt16) })
}

extension Dissector {
    /// Octets of a value that the definition explains, without optional fields.
    fileprivate func explainedLength(_ access: AttributeAccess) -> Int {
        let longest = [UInt8](repeating: 0, count: 512)
        var dissection = Dissection()
        dissect(Bytes(longest.span), operation: access, into: &dissection)
        return dissection.unexplained.isEmpty ? longest.count : dissection.unexplained.lowerBound
    }

    /// A part of the value may stay: it has no text, no octets, no address and no key.
    fileprivate var isHarmless: Bool {
        guard sensitivity == nil, !hasSecrets else { return false }
        return fields.allSatisfy { field in
            switch field.type {
            case .utf8, .utf8z, .bytes, .address, .secret, .advertisingData: false
            case .coded(.decimalText), .coded(.hexadecimalText): false
            default: true
            }
        }
    }
}

extension BluetoothUUID {
    /// Assigned by the Bluetooth SIG to a type of attribute: not to a member, nor a vendor's.
    fileprivate var isAssigned: Bool { uint16.map(BluetoothUUID.attributes.contains) ?? false }
}
