import AttlasCapture
import AttlasDefinitions
import AttlasDissection
import AttlasFilter
import AttlasIncidents
import AttlasLint
import AttlasLocks
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues

/// A recorded conversation: a btsnoop, pcap, pcapng, PacketLogger or hcidump file, or a text with packets in it.
///
/// ```swift
/// let capture = try Capture("hrm.pklg")
/// for operation in capture.operations where operation.method == .notification {
///     print(operation.frame, operation)
/// }
/// ```
/// A capture holds no records: each property reads the file once more, in constant memory, and takes time in proportion to its length.
/// Where a file cannot be read to its end, a property has what came before, and `error` the reason.
public struct Capture: Sendable {
    /// The path as it was given, or the name of octets in memory.
    public let name: String
    package let library: DissectorLibrary
    private let open: @Sendable () throws(CaptureError) -> CaptureReader
    let outcome = Outcome()

    /// What the last reading that came to an end found.
    final class Outcome: Sendable {
        let integrity = Locked(CaptureIntegrity(CaptureExtent(), in: Trace()))

        func note(_ new: CaptureIntegrity) { integrity.withLock { $0 = new } }
    }

    /// Opens a file that is not compressed. The module AttlasFiles opens archives as well.
    /// - Parameters:
    ///   - path: of the file.
    ///   - dissectors: definitions of your own devices. They precede those that come with attlas.
    /// - Throws: when it cannot be opened, or is not a capture.
    public init(_ path: String, dissectors: [Dissector] = []) throws(CaptureError) {
        try self.init(named: path, dissectors: dissectors) { () throws(CaptureError) in try CaptureReader(file: path) }
    }

    /// A capture in memory.
    /// - Parameters:
    ///   - octets: of a file that is not compressed.
    ///   - name: stands for its path in messages.
    ///   - dissectors: definitions of your own devices.
    public init(_ octets: [UInt8], named name: String, dissectors: [Dissector] = []) throws(CaptureError) {
        try self.init(named: name, dissectors: dissectors) { () throws(CaptureError) in
            try CaptureReader(octets: octets, name: name)
        }
    }

    /// - Parameter open: called for each reading; gives the same records each time.
    package init(
        named name: String, dissectors: [Dissector],
        _ open: @escaping @Sendable () throws(CaptureError) -> CaptureReader
    ) throws(CaptureError) {
        guard name != "-" else {
            throw CaptureError(
                .unsupported, file: "standard input", "it can be read only once, and a capture is read several times",
                advice: "Use LiveCapture of AttlasLive, or save it to a file.")
        }
        self.name = name
        self.open = open
        library = .shipped(with: dissectors)
        _ = try open()
    }

    // MARK: Operations

    /// Each ATT PDU, in the order of the records, and each value that took several PDUs to move, after the last of them.
    public var operations: Operations { Operations(capture: self, selection: Selection()) }

    /// The operations that a filter selects.
    /// - Parameter filter: as `--filter` of `attlas show`: `peer == HRM-7 and char == 2A37`. `attlas help filter` describes it.
    /// - Throws: where the text is not a filter, or has a name that does not exist.
    public func operations(where filter: String) throws(FilterError) -> Operations {
        var selection = Selection()
        do throws(FilterMistake) {
            selection.filter = try Filter(filter, library: library)
        } catch {
            throw FilterError(column: error.column, description: error.description)
        }
        return Operations(capture: self, selection: selection)
    }

    /// The values of a characteristic or a descriptor: of notifications, indications, reads and writes.
    /// - Parameter attribute: a UUID such as `2A37` or a name such as `Heart Rate Measurement`.
    /// - Throws: when the capture has no such attribute. The error of a wrong name has the nearest one.
    public func values(of attribute: String) throws(UnknownName) -> Values { try operations.values(of: attribute) }

    /// The type of an attribute of the capture, by its UUID or name.
    func uuid(of attribute: String) throws(UnknownName) -> BluetoothUUID {
        let uuid = try library.uuid(of: attribute)
        if Values(operations: operations, uuid: uuid).contains(where: { _ in true }) { return uuid }
        let characteristics = tree.servers.flatMap(\.services).flatMap(\.characteristics)
        // It may be in the part that cannot be read.
        guard error != nil || characteristics.contains(where: { $0.uuid == uuid || $0.descriptors.contains(uuid) })
        else { throw UnknownName(description: "\(name) has no attribute \(attribute)") }
        return uuid
    }

    // MARK: Documents

    /// The GATT tables, as far as the capture shows them.
    public var tree: Tree { Tree(document { TreeCollector(values: $0) }) }

    /// What broke, slowed down or stopped: the most important first.
    public var incidents: [Incident] {
        let model = document { IncidentCollector(values: $0) }
        return model.incidents.map { Incident($0, model) }
    }

    /// Where the conversation breaks rules of the specification, in the order of the frames.
    public var findings: [Finding] { document { LintCollector(values: $0) }.findings.map { Finding($0) } }

    /// How long answers to these requests took, in all connections.
    /// - Parameters:
    ///   - method: the kind of request.
    ///   - attribute: only requests about this characteristic or descriptor, by UUID or name; nil for all.
    ///   - device: only connections with a device that has this in its name or address; nil for all.
    /// - Throws: when the capture has no such attribute or device.
    public func roundTrips(
        _ method: Method, of attribute: String? = nil, with device: String? = nil
    ) throws(UnknownName) -> RoundTrips {
        var uuid: BluetoothUUID?
        if let attribute { uuid = try self.uuid(of: attribute) }
        let model = document { SelectedStatistics(selection: .init(), values: $0) }
        let groups = model.groups(by: .peer).filter { group in
            guard let device, let peer = group.connections.first.map({ model.connections[$0].peer }) else {
                return true
            }
            let texts = [peer.name, peer.address?.description].compactMap(\.self)
            return texts.contains { FoldedText($0).contains(FoldedText(device)) }
        }
        if let device, groups.isEmpty {
            throw UnknownName(description: "\(name) has no device with \"\(device)\" in its name or address")
        }
        var times = Distribution()
        for row in groups.flatMap(\.exchanges) where row.key.opcode.rawValue == method.opcode {
            let owner = row.key.attribute.flatMap { $0.descriptor ?? $0.characteristic }
            if uuid == nil || owner.map({ model.names[$0] }) == uuid { times.merge(row.roundTrips) }
        }
        return RoundTrips(times)
    }

    /// Why the last reading ended before the end of the capture; nil if it did not, or if nothing was read yet.
    public var error: CaptureError? { outcome.integrity.withLock { $0.error } }

    /// What the last reading found missing from the capture: lost, cut or unreadable records, a side that was not recorded.
    public var missing: [String] { outcome.integrity.withLock { $0.sentences.map(\.what) } }

    /// Reads the capture once for one document of the modules below.
    package func document<Collector: DocumentCollector>(
        _ makeCollector: (ValueInterpreter) -> Collector
    ) -> Collector.Document {
        var document: Collector.Document?
        if var pass = pass(makeCollector) {
            while pass.document == nil { pass.readRecords() }
            document = pass.document
        }
        guard let document else {
            // It could be opened before.
            var collector = Interpreted(library: library, makeCollector)
            return collector.finish(in: Trace(), outcome.integrity.withLock { $0 })
        }
        outcome.note(document.integrity)
        return document
    }

    /// nil if it cannot be opened any more: then that is the outcome.
    func pass<Collector: DocumentCollector>(
        _ makeCollector: (ValueInterpreter) -> Collector
    ) -> CapturePass<Interpreted<Collector>>? {
        do throws(CaptureError) {
            return CapturePass(try open(), Trace(), Interpreted(library: library, makeCollector))
        } catch {
            outcome.note(CaptureIntegrity(CaptureExtent(), in: Trace(), endedBy: error))
            return nil
        }
    }
}

/// What is wrong with a filter.
public struct FilterError: Error, Sendable, CustomStringConvertible {
    /// Where, in characters counted from 1.
    public let column: Int
    /// `column 6: …`, with what is possible instead.
    public let description: String
}

extension DissectorLibrary {
    func uuid(of attribute: String) throws(UnknownName) -> BluetoothUUID {
        if let uuid = BluetoothUUID(attribute) { return uuid }
        do throws(NameMistake) {
            return try self.attribute(named: attribute)
        } catch {
            throw UnknownName(description: error.message)
        }
    }
}
