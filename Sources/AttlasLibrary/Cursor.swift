import AttlasFilter
import AttlasTrace
import AttlasValues
import AttlasWire

extension Capture {
    /// The operations of a capture. Each loop reads the file; one that ends early reads no more of it.
    public struct Operations: Sequence, Sendable {
        let capture: Capture
        let selection: Selection

        public func makeIterator() -> Cursor { Cursor(self) }

        /// The values of a characteristic or a descriptor in these operations.
        /// - Parameter attribute: a UUID such as `2A37` or a name such as `Heart Rate Measurement`.
        /// - Throws: when the capture has no such attribute. The error of a wrong name has the nearest one.
        public func values(of attribute: String) throws(UnknownName) -> Values {
            Values(operations: self, uuid: try capture.uuid(of: attribute))
        }
    }

    /// Reads operations as they are asked for.
    public final class Cursor: IteratorProtocol {
        private let outcome: Outcome
        /// nil at the end.
        private var pass: CapturePass<Interpreted<OperationCollector>>?
        private var operations: [Operation] = []
        private var position = 0

        init(_ operations: Operations) {
            outcome = operations.capture.outcome
            pass = operations.capture.pass { OperationCollector(operations.selection, values: $0) }
        }

        /// The next operation; nil at the end, and where the capture cannot be read any further: then `Capture.error` says why.
        public func next() -> Operation? {
            while position == operations.count {
                guard pass != nil else { return nil }
                operations.removeAll(keepingCapacity: true)
                position = 0
                pass?.readRecords()
                pass?.collector.sink.exchange(&operations)
                guard let end = pass?.document else { continue }
                pass = nil
                outcome.note(end.integrity)
            }
            position += 1
            return operations[position - 1]
        }
    }

    /// Values of one attribute type.
    public struct Values: Sequence, Sendable {
        let operations: Operations
        /// Type of the attribute.
        public let uuid: BluetoothUUID

        public func makeIterator() -> Iterator { Iterator(cursor: operations.makeIterator(), uuid: uuid) }

        /// Reads values as they are asked for.
        public struct Iterator: IteratorProtocol {
            let cursor: Cursor
            let uuid: BluetoothUUID
            /// Those after the first one of an operation.
            private var waiting: ArraySlice<Value> = []

            init(cursor: Cursor, uuid: BluetoothUUID) {
                self.cursor = cursor
                self.uuid = uuid
            }

            /// The next value; nil at the end.
            public mutating func next() -> Value? {
                while true {
                    while let value = waiting.popFirst() {
                        if value.attribute?.uuid == uuid { return value }
                    }
                    guard let operation = cursor.next() else { return nil }
                    if !operation.facts.others.isEmpty { waiting = operation.values.dropFirst() }
                    if let value = operation.value, value.attribute?.uuid == uuid { return value }
                }
            }
        }
    }
}
