import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// The parameters of a command, an event or another record of the Linux monitor, or the header of an SDU, and the definitions that
/// read them.
struct HCIParameters: ~Escapable {
    let octets: Bytes
    /// Of the command or the event.
    let name: String?
    private let packet: Dissector?
    /// Where its fields begin: those of an LE event, after the subevent code.
    private let start: Int
    /// Reads what follows the opcode in Command Complete.
    private let result: Dissector?

    @_lifetime(copy command)
    init(_ command: HCICommand, _ library: DissectorLibrary) {
        octets = command.parameters
        name = library.assignedNumbers.name(command.opcode.rawValue, in: .hciOpcodes)
        packet = library.dissector(for: .hciCommand(command.opcode))
        start = 0
        result = nil
    }

    @_lifetime(copy event)
    init(_ event: HCIEvent, _ library: DissectorLibrary) {
        octets = event.parameters
        if let subevent = event.subeventCode {
            packet = library.dissector(for: .leEvent(LESubeventCode(rawValue: subevent)))
            start = 1
        } else {
            packet = library.dissector(for: .hciEvent(event.code))
            start = 0
        }
        name = packet?.name
        guard event.code == .commandComplete, let complete = try? CommandCompleteEvent(octets) else {
            result = nil
            return
        }
        // A command that failed may return its status alone.
        let returned = complete.returnParameters
        let isStatusAlone = returned.count == 1 && returned[0] != 0
        result = isStatusAlone ? nil : library.dissector(for: .hciResult(complete.commandOpcode))
    }

    @_lifetime(copy octets)
    init(monitorOpcode opcode: UInt16, _ octets: Bytes, _ library: DissectorLibrary) {
        // The texts of System Note and User Logging end with a zero.
        let hasZero = (12...13).contains(opcode) && !octets.isEmpty && octets[octets.count - 1] == 0
        self.octets = hasZero ? octets.prefix(octets.count - 1) : octets
        packet = library.dissector(for: .monitorRecord(opcode))
        name = packet?.name
        start = 0
        result = nil
    }

    /// - Parameter isMedia: it has no header that the definition knows.
    @_lifetime(copy sdu)
    init(_ sdu: ChannelSDU, isMedia: Bool, _ library: DissectorLibrary) {
        let dissector = library.dissector(for: .l2capSDU(psm: sdu.psm))
        name = dissector?.name
        packet = isMedia ? nil : dissector
        start = 0
        result = nil
        var dissection = Dissection()
        packet?.dissect(sdu.bytes, from: 0, into: &dissection)
        octets = dissection.unexplained.isEmpty ? sdu.bytes : sdu.bytes.prefix(dissection.unexplained.lowerBound)
    }

    /// A definition has fields for them; otherwise they are octets.
    var hasLayout: Bool { packet?.hasLayout ?? false }

    /// Some of them are keys, which a report should not spread, or may be.
    var holdKey: Bool {
        guard packet?.hasSecrets ?? false || result?.hasSecrets ?? false else { return false }
        var holdKey = false
        read { dissection, dissector, _ in
            if dissector.holdsKey(dissection) { holdKey = true }
        }
        return holdKey
    }

    /// Calls `body` with what each of the definitions reads.
    func read(_ body: (_ dissection: borrowing Dissection, Dissector, _ octets: Bytes) -> Void) {
        guard let packet, packet.hasLayout else { return }
        var dissection = Dissection()
        let head = result == nil ? octets : octets.prefix(CommandCompleteEvent.headLength)
        packet.dissect(head, from: start, into: &dissection)
        body(dissection, packet, head)
        guard let result else { return }
        result.dissect(octets, from: CommandCompleteEvent.headLength, into: &dissection)
        body(dissection, result, octets)
    }
}

extension Dissection {
    /// What a field of AD structures says; nil for another field, and when it says nothing.
    func advertisedData(at index: Int, of dissector: Dissector, _ octets: Bytes) -> AdvertisedData? {
        let field = self[index]
        guard field.field != DissectedField.unexplainedOctets,
            dissector.fields[Int(field.field)].type == .advertisingData
        else { return nil }
        let advertising = AdvertisingData(octets.slice(field.range))
        // The last of several reports may begin within a structure: what it announces then is not there.
        var structures = advertising.structures
        while dissector.kind == .leEvent, let structure = structures.next() {
            if structure.missing > 0 { return nil }
        }
        let data = AdvertisedData(advertising)
        return data == AdvertisedData() ? nil : data
    }
}

extension TextBuffer {
    /// ` · Status Success (0x00) · Connection Handle 0x0040`, and nothing where there are none.
    mutating func append(_ parameters: borrowing HCIParameters, _ values: ValueInterpreter) {
        guard parameters.hasLayout else {
            if parameters.octets.isEmpty { return }
            append(" · ")
            return append(octets: parameters.octets, limit: 32)
        }
        parameters.read { dissection, dissector, octets in
            let start = count
            append(" · ")
            let content = count
            append(summaryOf: dissection, of: dissector, value: octets)
            if count == content { truncate(to: start) }
            for index in 0..<dissection.count {
                guard let data = dissection.advertisedData(at: index, of: dissector, octets) else { continue }
                append(" · ")
                append(data, values)
            }
        }
    }
}
