import AttlasDissection
import AttlasTrace
import AttlasValues
import AttlasWire

/// Results inside values, and values that announce a restart: `refuses` and `restarts` of the definitions.
extension IncidentCollector {
    /// How long the conversation may continue after the announcement of a restart: the answer to it, and requests on their way.
    private static let lastWords: Int64 = 5_000_000_000
    /// In which the device then leaves. It may check and copy an image before; a peer that does not react for longer counts as gone.
    /// Vol 3, Part F, 3.3.3.
    private static let restartTime: Int64 = 30_000_000_000

    /// A value and where it is.
    struct Carrier {
        let slot: Int
        let server: ServerSide
        let handle: AttributeHandle
        let attribute: AttributeInfo
        let sender: Direction
        let moment: Moment
        /// The conflict of a write with what the server can do.
        let conflict: AudioServers.Conflict?
    }

    /// Reads the value of a PDU, if its definition has results or announcements.
    @inline(never)
    mutating func readOutcomes(
        _ operation: borrowing ATTOperation, _ slot: Int, _ event: borrowing Event, in trace: borrowing Trace
    ) {
        guard links[slot].isOpen, let handle = operation.handle, let attribute = operation.attribute else { return }
        let type = trace.uuids[attribute.type]
        if type.isAudioEndpoint || type.isAudioCapabilities { return noteEndpoints(slot, event, in: trace) }
        guard attribute.role == .value, values.hasOutcomes(attribute, in: trace) else {
            return links[slot].procedures.leaveOut(operation.server, handle)
        }
        links[slot].audio.noteReady(operation, event.frame, in: trace)
        let carrier = Carrier(
            slot: slot, server: operation.server, handle: handle, attribute: attribute, sender: event.direction,
            moment: Moment(event),
            conflict: hasGap(slot, in: trace) || links[slot].hasFault
                ? nil : links[slot].audio.conflicts(of: operation, in: trace).first)
        event.forEachAttribute(in: trace) { value in
            guard let reading = values.read(value, in: trace) else { return true }
            if reading.loss == .restarted, reading.dissector.hasSegments { noteUnended(carrier, in: trace) }
            guard reading.isDissected, reading.dissector.hasOutcomes else { return true }
            if type == .simpleManagementProtocol { noteImages(reading, carrier, in: trace) }
            noteObject(reading, carrier, in: trace)
            if value.access == .write {
                noteRequest(reading.dissector, carrier, in: trace)
            } else {
                noteResults(reading.dissector, carrier, in: trace)
            }
            return true
        }
    }

    /// A message in segments began before the last one had its last segment.
    private mutating func noteUnended(_ carrier: Carrier, in trace: borrowing Trace) {
        let slot = carrier.slot
        guard !hasGap(slot, in: trace), !links[slot].hasFault else { return }
        if let known = openIncident(.valuesCut, carrier.server, carrier.handle, detail: 1, slot) {
            return happenAgain(known, carrier.moment, slot)
        }
        let subject = name(carrier.handle, carrier.attribute, in: trace) ?? "an attribute"
        let sender = party(carrier.sender, slot, in: trace)
        var incident = Incident(
            .valuesCut, .hindered, carrier.moment,
            place(slot, server: carrier.server, carrier.handle, carrier.attribute, in: trace), detail: 1,
            title: "message of \(subject) never ended",
            "\(sender.capitalizedFirst) began a message of \(subject) in segments, and then another one without the last segment of the first, "
                + "which is lost.",
            .likely("\(sender.capitalizedFirst) does not send the last segment, or does not mark it as the last."),
            next: "Look in \(sender) at how it ends a message that takes several segments.")
        incident.add(links[slot].lastFrame, "the last PDU before it")
        incident.add(carrier.moment.frame, "a new message began")
        open(incident, slot, in: trace)
    }

    private func label(_ record: DissectedField, _ dissector: Dissector) -> String? {
        record.special == .none ? dissector.label(of: record) : dissector.label(of: record.special, field: record)
    }

    /// A write: the field that results name (`asked`) shows its request, else the first one with a name.
    private mutating func noteRequest(_ dissector: Dissector, _ carrier: Carrier, in trace: borrowing Trace) {
        let dissection = values.dissection
        let asked = dissector.fields.lazy.compactMap { $0.outcome?.asked }.first
        var number: Int64?
        var words: String?
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets else { continue }
            let isAsked = dissector.fields[Int(record.field)].name == asked
            if words == nil || isAsked, let name = label(record, dissector) { (number, words) = (record.raw, name) }
            noteRestart(record, dissector, carrier, isWrite: true, in: trace)
        }
        links[carrier.slot].procedures.ask(
            .init(server: carrier.server, handle: carrier.handle, number: number),
            .init(moment: carrier.moment, words: words, asker: carrier.sender, conflict: carrier.conflict))
    }

    private mutating func noteResults(_ dissector: Dissector, _ carrier: Carrier, in trace: borrowing Trace) {
        let dissection = values.dissection
        var hasFailed = false
        for index in 0..<dissection.count {
            let record = dissection[index]
            guard record.field != DissectedField.unexplainedOctets,
                let outcome = dissector.fields[Int(record.field)].outcome
            else { continue }
            noteRestart(record, dissector, carrier, isWrite: false, in: trace)
            guard !outcome.refused.isEmpty else { continue }
            let asked = outcome.asked.flatMap { name in
                (0..<index).last {
                    dissection[$0].field != DissectedField.unexplainedOctets
                        && dissector.fields[Int(dissection[$0].field)].name == name
                }.map { dissection[$0] }
            }
            let last = links[carrier.slot].procedures.lastRequest(carrier.server, carrier.handle)
            let number = asked?.raw ?? last?.key.number
            let item = item(of: index, dissector)
            let subject = Result.Subject(
                number: number, item: item?.raw, field: number == nil ? Int(record.field) : nil)
            guard outcome.isRefusal(record.raw) else {
                succeed(subject, carrier, in: trace)
                continue
            }
            links[carrier.slot].procedures.withdrawRestart()
            // A state with several failures has one cause.
            if number == nil, hasFailed { continue }
            hasFailed = true
            let next = index + 1 < dissection.count ? dissection[index + 1] : nil
            let detail = next.flatMap {
                $0.field != DissectedField.unexplainedOctets && $0.depth == record.depth
                    && dissector.fields[Int($0.field)].outcome == nil ? label($0, dissector) : nil
            }
            let name = label(record, dissector)
            let about = item.map { " of \(dissector.fields[Int($0.field)].name) \($0.raw)" } ?? ""
            refuse(
                Result(
                    subject: subject,
                    procedure: asked.map { (label($0, dissector) ?? "request \(Self.code($0.raw))") + about },
                    raw: record.raw,
                    name: (name ?? "result \(Self.code(record.raw))") + (detail.map { ", \($0)" } ?? ""),
                    hasName: name != nil, isHarmless: outcome.isHarmless(record.raw)),
                carrier, in: trace)
        }
    }

    /// The identifier at the beginning of the repeated structure that a result is in: the ASE that it is about.
    private func item(of index: Int, _ dissector: Dissector) -> DissectedField? {
        let dissection = values.dissection
        guard let structure = (0..<index).last(where: { dissection[$0].depth < dissection[index].depth }),
            dissection[structure].field != DissectedField.unexplainedOctets,
            dissector.fields[Int(dissection[structure].field)].isRepeated
        else { return nil }
        let first = dissection[structure + 1]
        let isIdentifier = structure + 1 < index && dissector.fields[Int(first.field)].name.hasSuffix(" ID")
        return isIdentifier && first.raw != 0 ? first : nil
    }

    /// A result that is a refusal.
    private struct Result {
        /// The subject of a result.
        struct Subject {
            /// The procedure's number.
            let number: Int64?
            /// The identifier, if the value is about several.
            let item: Int64?
            /// The field of a result without a procedure.
            let field: Int?

            /// Results about the same have the same one. The lowest 16 bits are 0.
            var detail: Int {
                Int((number ?? 0x7FFF_0000) & 0x7FFF_FFFF) << 32 | Int((item ?? 0) & 0xFFFF) << 16 | (field ?? 0) << 32
            }
        }

        let subject: Subject
        /// Its name, if the value has it.
        let procedure: String?
        let raw: Int64
        let name: String
        let hasName: Bool
        let isHarmless: Bool

        /// Equal ones have the same subject and result.
        var detail: Int { subject.detail | Int(raw & 0xFFFF) }
    }

    /// `0x05`
    private static func code(_ raw: Int64) -> String {
        let digits = String(UInt64(bitPattern: raw), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: digits.count % 2) + digits
    }

    private mutating func refuse(_ result: Result, _ carrier: Carrier, in trace: borrowing Trace) {
        let slot = carrier.slot
        let procedures = links[slot].procedures
        let key = ProcedureState.Key(server: carrier.server, handle: carrier.handle, number: result.subject.number)
        let request = procedures.request(key) ?? procedures.lastRequest(carrier.server, carrier.handle)?.request
        if let known = openIncident(
            .procedureFailed, carrier.server, carrier.handle, detail: result.detail, slot)
        {
            guard links[slot].open[known].moments.last?.frame != carrier.moment.frame else { return }
            return happenAgain(known, carrier.moment, request: request?.moment.frame, slot)
        }
        let control = name(carrier.handle, carrier.attribute, in: trace) ?? "an attribute"
        let answerer = party(carrier.sender, slot, in: trace)
        let words = result.name + (result.hasName ? " (\(Self.code(result.raw)))" : "")
        let meaning = ResultMeaning(
            of: result.name, result.raw, result.subject.number, trace.uuids[carrier.attribute.type])
        var incident = Incident(
            .procedureFailed, result.isHarmless ? .noted : .broke, carrier.moment,
            place(slot, server: carrier.server, carrier.handle, carrier.attribute, in: trace), detail: result.detail,
            title: result.procedure.map { "\($0) refused: \(result.name)" } ?? "\(control) reports \(result.name)",
            result.procedure.map { "\(control): \($0) was refused with \(words)." }
                ?? "\(control) of \(answerer) reports \(words).",
            meaning.map { .likely($0.meaning) }
                ?? .unknown("The log of the server would tell: \(result.name) gives no reason."),
            next: meaning?.advice ?? "Look at what the specification of the service says about this result.")
        if let request {
            let asked = request.words ?? "a value"
            incident.add(
                request.moment.frame, "\(asked) written by \(party(request.asker, slot, in: trace))")
        }
        incident.add(carrier.moment.frame, "\(answerer) answered \(words)")
        explain(&incident, result, carrier, in: trace)
        if meaning?.isAboutParameter ?? false, let limit = objectLimit(slot),
            request?.moment.frame == links[slot].objects.created?.moment.frame
        {
            incident.cause = .proved(limit.text)
            incident.next = limit.next
            incident.note(limit.frame)
        }
        if let conflict = request?.conflict,
            conflict.kind == .state
                ? result.raw == AudioStreamOperation.invalidTransition
                : AudioStreamOperation.refusals.contains(result.raw)
        {
            incident.cause = .proved(conflict.text)
            incident.next = conflict.kind.advice
            for frame in conflict.frames { incident.note(frame) }
        }
        open(incident, slot, in: trace)
    }

    /// A procedure that had to come first.
    private mutating func explain(
        _ incident: inout Incident, _ result: Result, _ carrier: Carrier, in trace: borrowing Trace
    ) {
        let uuid = trace.uuids[carrier.attribute.type]
        guard let known = ProcedureCause.all.first(where: { $0.characteristic == uuid && $0.result == result.raw })
        else { return }
        let (slot, procedure) = (carrier.slot, known.procedure)
        let words = "\(procedure.name) (\(Self.code(procedure.number)))"
        let state = links[slot].procedures
        let key = ProcedureState.Key(server: carrier.server, handle: carrier.handle, number: procedure.number)
        if let earlier = state.request(key) {
            incident.add(earlier.moment.frame, "\(words) had been written")
            incident.cause = .unknown(
                "\(words) was written in frame \(earlier.moment.frame); the log of the server would tell why it is not in force."
            )
        } else if links[slot].isWhole, !links[slot].hasFault, !hasGap(slot, in: trace), !state.isFull {
            incident.cause = .proved("\(words) was never written on this connection. \(known.rule)")
            incident.next = "Write \(words) first."
        } else {
            incident.cause = .likely("\(words) was not written in this log. \(known.rule)")
            incident.next = "Write \(words) first."
        }
    }

    /// A procedure succeeded: one like it that was refused before is no longer.
    private mutating func succeed(_ subject: Result.Subject, _ carrier: Carrier, in trace: borrowing Trace) {
        let slot = carrier.slot
        let (server, handle) = (carrier.server, carrier.handle)
        acceptLater(slot, carrier.moment.frame, "accepted later", in: trace) {
            $0.kind == .procedureFailed && $0.weight == .broke && $0.place.server == server
                && $0.place.handle == handle
                && ($0.detail >> 16 == subject.detail >> 16
                    // The one that there is was meant.
                    || subject.item != nil && $0.detail >> 32 == subject.detail >> 32
                        && $0.detail & 0xFFFF == AudioStreamOperation.invalidEndpoint)
        }
    }

    // MARK: Restarts

    private mutating func noteRestart(
        _ record: DissectedField, _ dissector: Dissector, _ carrier: Carrier, isWrite: Bool, in trace: borrowing Trace
    ) {
        guard let outcome = dissector.fields[Int(record.field)].outcome, outcome.isRestart(record.raw) else { return }
        let control = name(carrier.handle, carrier.attribute, in: trace) ?? "an attribute"
        let words = label(record, dissector) ?? Self.code(record.raw)
        links[carrier.slot].procedures.announce(
            .init(
                server: carrier.server, handle: carrier.handle, frames: [carrier.moment.frame], first: carrier.moment,
                last: carrier.moment,
                words: isWrite ? "\(words) was written to \(control)" : "\(control) reported \(words)"))
    }

    /// A connection that ended because the device restarted or left as announced.
    ///
    /// - Returns: whether that is so.
    mutating func noteRestart(
        _ reason: HCIErrorCode, _ slot: Int, _ moment: Moment, in trace: borrowing Trace
    ) -> Bool {
        // This host does not restart because its client left.
        guard let restart = links[slot].procedures.restart, restart.server == .peer,
            !trace.connections[slot].isDisconnectRequested
        else { return false }
        var silence: Int64 = 0
        switch reason {
        case .connectionTimeout:
            silence = trace.connections[slot].parameters.map { Int64($0.supervisionTimeout) * 10_000_000 } ?? 0
        case .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources, .remoteDeviceTerminatedPowerOff:
            break
        default: return false
        }
        let age = moment.since(restart.last)
        guard links[slot].last.since(restart.last) <= Self.lastWords, age - silence <= Self.restartTime else {
            return false
        }
        let frames = restart.frames.map { "\($0)" }.joined(separator: ", ")
        let repeated = restart.frames.count > 1 ? " (frames \(frames))" : ""
        var incident = Incident(
            .deviceRestarted, .noted, restart.first,
            place(slot, server: restart.server, restart.handle, in: trace), detail: Int(reason.rawValue),
            title: "restarted as announced: \(restart.words)\(repeated)",
            "\(restart.words); the connection ended \(seconds(age)) later: \(reason.words).",
            .likely("\(restart.words), which announces that the device restarts or leaves."),
            next: "Nothing: connect again when the device advertises.")
        for frame in restart.frames { incident.add(frame, restart.words) }
        incident.add(moment.frame, "the connection ended: \(reason.words)")
        report(incident)
        return true
    }
}
