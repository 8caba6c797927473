import AttlasDissection
import AttlasTrace
import AttlasWire

/// The parameters of a command, an event or another record of the Linux monitor, the CtrData of an LL control PDU, or the header of
/// an SDU, and the definitions that read them.
public struct HCIParameters: ~Escapable {
    private let all: Bytes
    /// Name of the command or the event.
    public let name: String?
    private let packet: Dissector?
    /// Where its fields begin: those of an LE event, after the subevent code.
    private let start: Int
    /// Reads the parameters after the opcode in Command Complete.
    private let result: Dissector?

    /// Parameters of a command.
    @_lifetime(copy command)
    public init(_ command: HCICommand, _ library: DissectorLibrary) {
        all = command.parameters
        name = library.assignedNumbers.name(command.opcode.rawValue, in: .hciOpcodes)
        packet = library.dissector(for: .hciCommand(command.opcode))
        start = 0
        result = nil
    }

    /// Parameters of an event; for Command Complete also the return parameters.
    @_lifetime(copy event)
    public init(_ event: HCIEvent, _ library: DissectorLibrary) {
        all = event.parameters
        if let subevent = event.subeventCode {
            packet = library.dissector(for: .leEvent(LESubeventCode(rawValue: subevent)))
            start = 1
        } else {
            packet = library.dissector(for: .hciEvent(event.code))
            start = 0
        }
        name = packet?.name
        guard event.code == .commandComplete, let complete = try? CommandCompleteEvent(all) else {
            result = nil
            return
        }
        // A command that failed may return its status alone.
        let returned = complete.returnParameters
        let isStatusAlone = returned.count == 1 && returned[0] != 0
        result = isStatusAlone ? nil : library.dissector(for: .hciResult(complete.commandOpcode))
    }

    /// CtrData of an LL control PDU.
    @_lifetime(copy data)
    public init(linkLayerControl opcode: LLControlOpcode, _ data: Bytes, _ library: DissectorLibrary) {
        all = data
        packet = library.dissector(for: .linkLayerControl(opcode))
        name = packet?.name
        start = 0
        result = nil
    }

    /// Data of a record of the Linux monitor.
    @_lifetime(copy octets)
    public init(monitorOpcode opcode: UInt16, _ octets: Bytes, _ library: DissectorLibrary) {
        // The texts of System Note and User Logging end with a zero.
        let hasZero = (12...13).contains(opcode) && !octets.isEmpty && octets[octets.count - 1] == 0
        all = hasZero ? octets.prefix(octets.count - 1) : octets
        packet = library.dissector(for: .monitorRecord(opcode))
        name = packet?.name
        start = 0
        result = nil
    }

    /// - Parameter isMedia: it has no header that the definition knows.
    @_lifetime(copy sdu)
    public init(_ sdu: ChannelSDU, isMedia: Bool, _ library: DissectorLibrary) {
        let dissector = library.dissector(for: .l2capSDU(psm: sdu.psm))
        name = dissector?.name
        packet = isMedia ? nil : dissector
        start = 0
        result = nil
        var dissection = Dissection()
        packet?.dissect(sdu.bytes, from: 0, into: &dissection)
        all = dissection.unexplained.isEmpty ? sdu.bytes : sdu.bytes.prefix(dissection.unexplained.lowerBound)
    }

    /// A definition has fields for them; otherwise they are octets.
    public var hasLayout: Bool { packet?.hasLayout ?? false }

    /// Withheld if some of them are a key, or may be.
    public var octets: ShownOctets {
        @_lifetime(copy self) get {
            guard packet?.hasSecrets ?? false || result?.hasSecrets ?? false else {
                return ShownOctets(all, isWithheld: false)
            }
            var isWithheld = false
            read { _, _, octets in isWithheld = isWithheld || octets.isWithheld }
            return ShownOctets(all, isWithheld: isWithheld)
        }
    }

    /// Calls `body` with the dissection of each of the definitions.
    public func read(
        _ body: (_ dissection: borrowing Dissection, Dissector, _ octets: ShownOctets) -> Void
    ) {
        guard let packet, packet.hasLayout else { return }
        var dissection = Dissection()
        let head = result == nil ? all : all.prefix(CommandCompleteEvent.headLength)
        packet.dissect(head, from: start, into: &dissection)
        body(dissection, packet, ShownOctets(head, dissection, of: packet))
        guard let result else { return }
        result.dissect(all, from: CommandCompleteEvent.headLength, into: &dissection)
        body(dissection, result, ShownOctets(all, dissection, of: result))
    }
}

extension Dissection {
    /// The content of a field of AD structures; nil for another field, and for an empty one.
    public func advertisedData(at index: Int, of dissector: Dissector, _ octets: ShownOctets) -> AdvertisedData? {
        let field = self[index]
        guard field.field != DissectedField.unexplainedOctets,
            dissector.fields[Int(field.field)].type == .advertisingData
        else { return nil }
        let advertising = AdvertisingData(octets.octets(of: field, by: dissector))
        // The last of several reports may begin within a structure: the octets that it announces are missing.
        var structures = advertising.structures
        while dissector.kind == .leEvent, let structure = structures.next() {
            if structure.missing > 0 { return nil }
        }
        let data = AdvertisedData(advertising)
        return data == AdvertisedData() ? nil : data
    }
}
