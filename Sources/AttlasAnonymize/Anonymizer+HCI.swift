import AttlasCapture
import AttlasDissection
import AttlasValues
import AttlasWire

/// Commands, events, and notes of the recording host between them: their definitions locate addresses, keys and names.
extension Anonymizer {
    /// The edits of a record that carries no data of a connection.
    mutating func editsOfControl(_ record: borrowing Record) -> [Edit] {
        let bytes = record.bytes
        func all(from start: Int, _ treatment: Treatment) -> [Edit] {
            Self.all(of: bytes.count, from: start, treatment)
        }
        switch record.content {
        case .packet(.command):
            guard let command = try? HCICommand(bytes) else { return all(from: 0, .unknown) }
            // A vendor's command: its opcode stays, and the first octet, which often is a part of it.
            guard !command.opcode.isVendorSpecific else { return all(from: HCICommand.headerLength + 1, .zero) }
            return edits(
                HCIParameters(command, library), at: HCICommand.headerLength, command.parameters.count, of: bytes.count)
        case .packet(.event):
            guard let event = try? HCIEvent(bytes) else { return all(from: 0, .unknown) }
            if event.code == .numberOfCompletedPackets,
                let count = (try? NumberOfCompletedPacketsEvent(event.parameters))?.count,
                bytes.count == HCIEvent.headerLength + 1 + 4 * count
            {
                return []
            }
            if event.code == .commandComplete,
                let opcode = (try? CommandCompleteEvent(event.parameters))?.commandOpcode, opcode.isVendorSpecific
            {
                // The status of a vendor's command stays.
                return all(from: HCIEvent.headerLength + CommandCompleteEvent.headLength + 1, .zero)
            }
            // A vendor's event.
            guard event.code != .vendorSpecific else { return all(from: HCIEvent.headerLength + 1, .zero) }
            return edits(
                HCIParameters(event, library), at: HCIEvent.headerLength, event.parameters.count, of: bytes.count,
                isReport: event.leSubevent.map { Self.reports.contains($0) } ?? false)
        case .packet(.synchronous): return all(from: 3, .zero)
        case .packet(.isochronous):
            guard let packet = try? ISOPacket(bytes) else { return all(from: ISOPacket.headerLength, .zero) }
            return all(from: packet.dataOffset, .zero)
        case .monitor(let opcode):
            return edits(
                HCIParameters(monitorOpcode: opcode, bytes, library), at: 0, bytes.count, of: bytes.count,
                keepsText: opcode == 0 && Self.namesAdapter(bytes) || opcode == 12 && Self.namesKernel(bytes))
        case .packetLogger, .unknownPacket, .broken, .packet, .air: return all(from: 0, .unknown)
        }
    }

    /// New Index with a name such as hci0, after the type, the bus and the address.
    private static func namesAdapter(_ bytes: borrowing Bytes) -> Bool {
        let name = bytes.dropFirst(8).copy().prefix { $0 != 0 }
        return name.starts(with: "hci".utf8)
            && name.dropFirst(3).allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// System Note with the version of Linux' Bluetooth; that of the kernel may have a host's name in it.
    private static func namesKernel(_ bytes: borrowing Bytes) -> Bool {
        bytes.copy().starts(with: "Bluetooth subsystem version ".utf8)
    }

    /// - Parameters:
    ///   - start: Where the parameters begin in the packet.
    ///   - length: Length of the parameters.
    ///   - count: Octets of the packet.
    ///   - isReport: It is a report of advertising.
    private mutating func edits(
        _ parameters: borrowing HCIParameters, at start: Int, _ length: Int, of count: Int,
        isReport: Bool = false, keepsText: Bool = false
    ) -> [Edit] {
        var found: [Edit] = []
        // Up to where fields explain the octets.
        var explained = 0
        var report = ReportedData()
        parameters.read { dissection, dissector, _ in
            for index in 0..<dissection.count {
                let field = dissection[index]
                guard field.field != DissectedField.unexplainedOctets else {
                    found.append(Edit(range: field.range, treatment: .unknown))
                    continue
                }
                let description = dissector.fields[Int(field.field)]
                if isReport { report.note(description.name, field.raw) }
                if isReport, description.name == "Data" {
                    // An end that comes in another report begins in the middle of a structure.
                    let isWhole = advertisingParts.isBeginning(report)
                    found.append(
                        Edit(
                            range: field.range, treatment: isWhole ? .advertisingData(mayBeCut: report.isCut) : .unknown
                        ))
                } else if Self.isNumber(description, field.range.count) {
                    found.append(Edit(range: field.range, treatment: .number))
                } else if description.type == .address {
                    let isRandom = isRandom(description.name, after: index, in: dissection, dissector)
                    found.append(Edit(range: field.range, treatment: .address(isRandom: isRandom)))
                } else if let treatment = Self.treatment(of: description, keepsText: keepsText) {
                    var range = field.range
                    // Without a definition, return parameters keep only their status.
                    if description.name == "Return Parameters", !range.isEmpty {
                        range = range.lowerBound + 1..<range.upperBound
                    }
                    found.append(Edit(range: range, treatment: treatment))
                }
                explained = max(explained, field.range.upperBound)
            }
        }
        if explained < length { found.append(Edit(range: explained..<length, treatment: .unknown)) }
        return found.map {
            Edit(range: $0.range.lowerBound + start..<$0.range.upperBound + start, treatment: $0.treatment)
        } + Self.all(of: count, from: start + length, .unknown)
    }

    /// Address_Type of a directed advertisement whose target address could not be resolved.
    private static let unresolvedPrivateAddress: UInt64 = 0xFE

    /// LE Advertising Report, extended ones, and those of periodic advertising.
    private static let reports: Set<LESubeventCode> = [
        .advertisingReport, .extendedAdvertisingReport, .periodicAdvertisingReport, .periodicAdvertisingReportV2,
    ]

    /// The fields of an advertising report that precede its data.
    struct ReportedData {
        /// Address and set, or the handle of a train.
        fileprivate var advertiser: Int64 = 0
        fileprivate var isContinued = false
        fileprivate var isCut = false

        fileprivate mutating func note(_ name: String, _ raw: Int64) {
            switch name {
            case "Address": advertiser = raw
            case "Advertising SID": advertiser |= (raw & 0xFF) << 48
            case "Sync Handle": advertiser = raw | 1 << 60
            // Bits 5 and 6 of Event_Type are the Data_Status. Vol 4, Part E, 7.7.65.13.
            case "Event Type": (isContinued, isCut) = (raw >> 5 & 0b11 == 1, raw >> 5 & 0b11 != 0)
            case "Data Status": (isContinued, isCut) = (raw == 1, raw != 0)
            default: break
            }
        }
    }

    /// Advertisers whose data comes in several reports.
    struct AdvertisingParts {
        private static let limit = 4_096
        private var begun: Set<Int64> = []

        init() {}

        /// Whether the data begins with a structure.
        fileprivate mutating func isBeginning(_ report: ReportedData) -> Bool {
            let isBeginning = !begun.contains(report.advertiser)
            if report.isContinued {
                // Too many to distinguish.
                if begun.count >= Self.limit { return false }
                begun.insert(report.advertiser)
            } else {
                begun.remove(report.advertiser)
            }
            return isBeginning
        }
    }

    /// The treatment of a packet's field; nil if it stays.
    private static func treatment(of field: FieldDescription, keepsText: Bool) -> Treatment? {
        switch field.type {
        case .secret: return .key
        case .utf8, .utf8z: return keepsText ? nil : .text
        case .advertisingData: return .advertisingData(mayBeCut: false)
        case .bytes:
            if field.role == .padding || field.name == "Padding" { return .zero }
            if keptFields.contains(field.name) { return nil }
            if keyFields.contains(field.name) { return .octets }
            return field.name == "Extended Inquiry Response" ? .advertisingData(mayBeCut: false) : .unknown
        default: return nil
        }
    }

    /// A passkey, or the numeric comparison values of HCI and of Linux' management interface.
    private static func isNumber(_ field: FieldDescription, _ octets: Int) -> Bool {
        octets == 4 && (field.type == .secret || field.name == "Numeric Value" || field.name == "Value")
    }

    /// Whether an address is a random one, by its name or the field before it; nil if unknown.
    private mutating func isRandom(
        _ name: String, after index: Int, in dissection: borrowing Dissection, _ dissector: Dissector
    ) -> Bool? {
        if meaning(of: name) == .randomAddress { return true }
        guard index > 0, dissection[index - 1].field != DissectedField.unexplainedOctets else { return nil }
        let before = dissection[index - 1]
        guard meaning(of: dissector.fields[Int(before.field)].name) == .addressType else { return nil }
        return before.raw & 1 == 1 || before.raw == Self.unresolvedPrivateAddress
    }

    /// The kind of address, or of address type, that a field's name implies.
    enum NameMeaning {
        case randomAddress, addressType, nothing
    }

    /// Kept, because a search in a text takes longer than all the rest.
    private mutating func meaning(of name: String) -> NameMeaning {
        if let known = nameMeanings[name] { return known }
        let isRandom = name.contains("Random") || name.contains("Resolvable")
        let meaning: NameMeaning =
            name.hasSuffix("Address Type") ? .addressType : isRandom ? .randomAddress : .nothing
        nameMeanings[name] = meaning
        return meaning
    }

    /// Octets about a controller's features, and its channels.
    private static let keptFields: Set<String> = [
        "AFH Channel Map", "AFH Host Channel Classification", "Channel Classification", "Channel Map", "Capability",
        "Codec Configuration", "LE Features Pages 2 To 10", "LMP Features", "Rest of Page 1",
        "Supported Commands",
    ]
    /// Octets from which keys are made.
    private static let keyFields: Set<String> = [
        "Key X Coordinate", "Key Y Coordinate", "Random Number", "Remote P-256 Public Key",
    ]
}
