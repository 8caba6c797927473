import AttlasDissection
import AttlasLint
import AttlasTrace
import AttlasWire

/// Holds a conversation against the rules of `attlas lint`, with the values as their definitions read them.
public struct LintSink: EventSink {
    public private(set) var collector: LintCollector
    private var values: ValueReader

    /// - Parameter disabled: ids of the rules that are not to speak.
    public init(values: ValueReader, disabled: Set<String> = []) {
        self.values = values
        collector = LintCollector(disabled: disabled)
    }

    public mutating func receive(_ event: borrowing Event, in trace: borrowing Trace) {
        values.memory.follow(event, in: trace)
        collector.receive(event, in: trace)
        guard let connection = event.connection else { return }
        let server: ServerSide
        var cutAt = Int.max
        switch event.detail {
        case .att(let operation):
            if operation.fault?.limit == .capturedLength { return }
            server = operation.server
            cutAt = operation.longestValue(trace.connections[connection].bearer.mtu)
        case .assembled(let assembled):
            guard assembled.outcome == .complete else { return }
            server = assembled.server
        default: return
        }
        _ = event.anySubject(in: trace) { subject in
            guard subject.isDissectable, !subject.isPartial, let value = subject.value, let type = subject.type,
                value.count < cutAt
            else { return nil }
            values.read(value, type, subject.attribute, subject.access, in: trace) { value, dissection, dissector in
                collector.judge(
                    value, dissection, of: dissector, server: server, handle: subject.handle, subject.attribute, event,
                    in: trace)
            }
            return nil
        }
    }

    /// To be called behind the last record.
    public mutating func finish(in trace: borrowing Trace) {
        collector.finish(in: trace)
    }
}

extension ATTOperation {
    /// Octets from which on a value may have been cut to fit the PDU. Core Specification, Vol 3, Part F, 3.4.4.2 and
    /// 3.4.7.1.
    fileprivate func longestValue(_ mtu: Int) -> Int {
        switch pdu {
        case .handleValueNotification, .handleValueIndication: mtu - 3
        case .readByTypeResponse: min(mtu - 4, 253)
        case .readResponse: mtu - 1
        default: .max
        }
    }
}
