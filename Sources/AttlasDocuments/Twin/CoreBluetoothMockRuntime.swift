/// The delegate that a generated mock begins with: it answers as `attlas.twin` does.
enum CoreBluetoothMockRuntime {
    static func text(prefix: String) -> String {
        template.replacing("PREFIX", with: prefix)
    }

    private static let template = #"""
        import CoreBluetoothMock
        import Foundation

        /// Answers as a recorded device did. Attributes have the recorded handles. Use it on the main queue.
        final class PREFIXTwin: CBMPeripheralSpecDelegate {
            enum Kind { case read, write, notify }
            typealias Operation = (kind: Kind, handle: Int, value: [UInt8]?, error: Int?, frame: Int, after: Double, since: Int?)
            typealias Echo = (octet: Int, request: Int, inverted: UInt8)

            /// Requests that were never recorded.
            private(set) var unknown: [String] = []
            private let pace: Double
            private let isStrict: Bool
            private var handles: [ObjectIdentifier: Int] = [:]
            private var characteristics: [Int: CBMCharacteristicMock] = [:]
            /// Handles of Client Characteristic Configurations, by those of the values.
            private var configurations: [Int: Int] = [:]
            private var connections: [[Operation]] = []
            private var refusals: [(kind: Kind, handle: Int, error: Int, length: Int?, value: [UInt8]?)] = []
            private var answers: [[Int]: [Echo]] = [:]
            private var readbacks: Set<Int> = []
            private var known: [Kind: [Int: [UInt8]]] = [:]
            // Of the connection.
            private var number = 0
            private var (reads, readCounts): ([Int: [Operation]], [Int: Int]) = ([:], [:])
            private var (writes, writeCounts): ([Int: [Operation]], [Int: Int]) = ([:], [:])
            private var sent: [Int?: [Operation]] = [:]
            private var (written, current): ([Int: [UInt8]], [Int: [UInt8]]) = ([:], [:])
            private var subscriptions: [Int: Int] = [:]
            private var timers: [Int: [DispatchWorkItem]] = [:]

            init(pace: Double, isStrict: Bool) { (self.pace, self.isStrict) = (pace, isStrict) }

            // MARK: What was recorded

            func add<Attribute: AnyObject>(_ handle: Int, _ attribute: Attribute, configuration: Int? = nil) -> Attribute {
                handles[ObjectIdentifier(attribute)] = handle
                characteristics[handle] = attribute as? CBMCharacteristicMock
                configurations[handle] = configuration
                if let configuration { readback(configuration) }
                return attribute
            }

            func connection() { connections.append([]) }

            func record(
                _ kind: Kind, _ handle: Int, _ value: String? = nil, error: Int? = nil, frame: Int, after: Double = 0, since: Int? = nil
            ) {
                let value = value.map(Self.octets)
                if error == nil, known[kind]?[handle] == nil { known[kind, default: [:]][handle] = value }
                connections[connections.count - 1].append((kind, handle, value, error, frame, after, since))
            }

            func refuse(_ kind: Kind, _ handle: Int, error: Int, length: Int? = nil, value: String? = nil) {
                refusals.append((kind, handle, error, length, value.map(Self.octets)))
            }

            func readback(_ handle: Int) { readbacks.insert(handle) }
            func answer(_ handle: Int, by sent: Int, echoes: [Echo]) { answers[[handle, sent]] = echoes }

            static func octets(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
            static func error(_ code: Int) -> Error {
                CBMATTError.Code(rawValue: code).map { CBMATTError($0) } ?? NSError(domain: CBMATTError.errorDomain, code: code)
            }

            // MARK: Connections

            func peripheralDidReceiveConnectionRequest(_ peripheral: CBMPeripheralSpec) -> Result<Void, Error> {
                end()
                let recorded = connections.isEmpty ? [] : connections[min(number, connections.count - 1)]
                number += 1
                reads = Dictionary(grouping: recorded.filter { $0.kind == .read }, by: \.handle)
                writes = Dictionary(grouping: recorded.filter { $0.kind == .write }, by: \.handle)
                sent = Dictionary(grouping: recorded.filter { $0.kind == .notify }, by: \.since)
                send(after: nil, from: peripheral)
                return .success(())
            }

            func peripheral(_ peripheral: CBMPeripheralSpec, didDisconnect error: Error?) { end() }

            private func end() {
                timers.values.joined().forEach { $0.cancel() }
                (timers, readCounts, writeCounts, written, current, subscriptions) = ([:], [:], [:], [:], [:], [:])
            }

            /// Sends the values that followed this frame. Those of another request repeat its octets where answers do.
            private func send(after frame: Int?, of handle: Int = 0, request: [UInt8]? = nil, from peripheral: CBMPeripheralSpec) {
                for (index, operation) in (sent[frame] ?? []).enumerated() {
                    guard let characteristic = characteristics[operation.handle], var value = operation.value else { continue }
                    if let request {
                        guard let echoes = answers[[handle, operation.handle]] else { continue }
                        for echo in echoes where index == 0 && echo.octet < value.count && echo.request < request.count {
                            value[echo.octet] = request[echo.request] ^ echo.inverted
                        }
                    }
                    let timer = DispatchWorkItem { [weak self, weak peripheral, value] in
                        self?.current[operation.handle] = value
                        peripheral?.simulateValueUpdate(Data(value), for: characteristic)
                    }
                    timers[operation.handle, default: []].append(timer)
                    DispatchQueue.main.asyncAfter(deadline: .now() + operation.after * pace, execute: timer)
                }
            }

            // MARK: Requests

            private func handle(_ attribute: AnyObject) -> Int { handles[ObjectIdentifier(attribute)] ?? 0 }

            private func refusal(_ kind: Kind, _ handle: Int, _ value: [UInt8] = []) -> Int? {
                refusals.first {
                    $0.kind == kind && $0.handle == handle && $0.length ?? value.count == value.count && $0.value ?? value == value
                }?.error
            }

            private func note(_ request: String) -> Error? {
                if unknown.count < 1_000 { unknown.append(request) }
                return isStrict ? Self.error(0x0E) : nil
            }

            private func read(_ handle: Int) -> Result<Data, Error> {
                let (all, index) = (reads[handle] ?? [], readCounts[handle] ?? 0)
                let next = index < all.count ? all[index] : nil
                if next?.error == nil, let error = refusal(.read, handle) { return .failure(Self.error(error)) }
                if next != nil { readCounts[handle] = index + 1 }
                if let error = next?.error { return .failure(Self.error(error)) }
                if let value = written[handle] ?? next?.value { current[handle] = value }
                if let value = current[handle] ?? known[.read]?[handle] ?? known[.notify]?[handle] { return .success(Data(value)) }
                if configurations.values.contains(handle) { return .success(Data(count: 2)) }
                return note("read \(handle): no value is known").map { .failure($0) } ?? .success(Data())
            }

            /// - Returns: the frame of the recorded write whose answers follow, and what was written if that was another value.
            private func write(_ handle: Int, _ value: [UInt8]) -> Result<(frame: Int, request: [UInt8]?)?, Error> {
                func isOn(_ value: [UInt8]?) -> Bool { (value?.first ?? 0) & 0b11 != 0 }
                let all = writes[handle] ?? []
                let next = all.indices.dropFirst(writeCounts[handle] ?? 0).first { all[$0].value == value }
                if let next { writeCounts[handle] = next + 1 }
                var operation = next.map { all[$0] } ?? all.last { $0.value == value }
                if let error = operation?.error ?? refusal(.write, handle, value) { return .failure(Self.error(error)) }
                if readbacks.contains(handle) { (current[handle], written[handle]) = (value, operation == nil ? value : nil) }
                let isConfiguration = configurations.values.contains(handle)
                if isConfiguration, operation == nil, isOn(value) { operation = all.last { $0.error == nil && isOn($0.value) } }
                if let frame = operation?.frame {
                    // What was read after it is read after it again.
                    let later = reads[handle]?.firstIndex { $0.frame > frame } ?? 0
                    readCounts[handle] = max(readCounts[handle] ?? 0, later)
                    return .success((frame, nil))
                }
                if isConfiguration { return .success(nil) }
                let alike = all.last { old in
                    old.error == nil && old.value?.count == value.count && old.value?.first == value.first
                        && (sent[old.frame] ?? []).contains { answers[[handle, $0.handle]] != nil }
                }
                if let alike { return .success((alike.frame, value)) }
                return note("write \(handle): \(value) was never recorded").map { .failure($0) } ?? .success(nil)
            }

            private func write(_ handle: Int, _ data: Data, to peripheral: CBMPeripheralSpec) -> Result<Void, Error> {
                write(handle, [UInt8](data)).map { answer in
                    if let answer { send(after: answer.frame, of: handle, request: answer.request, from: peripheral) }
                }
            }

            func peripheral(_: CBMPeripheralSpec, didReceiveReadRequestFor value: CBMCharacteristicMock) -> Result<Data, Error> { read(handle(value)) }
            func peripheral(_: CBMPeripheralSpec, didReceiveReadRequestFor descriptor: CBMDescriptorMock) -> Result<Data, Error> { read(handle(descriptor)) }

            func peripheral(_ device: CBMPeripheralSpec, didReceiveWriteRequestFor value: CBMCharacteristicMock, data: Data) -> Result<Void, Error> {
                write(handle(value), data, to: device)
            }

            func peripheral(_ device: CBMPeripheralSpec, didReceiveWriteRequestFor descriptor: CBMDescriptorMock, data: Data) -> Result<Void, Error> {
                write(handle(descriptor), data, to: device)
            }

            func peripheral(_ device: CBMPeripheralSpec, didReceiveWriteCommandFor value: CBMCharacteristicMock, data: Data) {
                _ = write(handle(value), data, to: device)
            }

            func peripheral(_: CBMPeripheralSpec, didReceiveSetNotifyRequest isOn: Bool, for value: CBMCharacteristicMock) -> Result<Void, Error> {
                let (handle, properties) = (handle(value), value.properties)
                if !isOn { timers.removeValue(forKey: handle)?.forEach { $0.cancel() } }
                guard let configuration = configurations[handle] else {
                    return properties.isDisjoint(with: [.notify, .indicate]) ? .failure(Self.error(0x06)) : .success(())
                }
                return write(configuration, [!isOn ? 0 : properties.contains(.notify) ? 1 : 2, 0]).map {
                    subscriptions[handle] = isOn ? $0?.frame : nil
                }
            }

            // The mock drops values that are sent before this.
            func peripheral(_ device: CBMPeripheralSpec, didUpdateNotificationStateFor value: CBMCharacteristicMock, error: Error?) {
                if let frame = subscriptions.removeValue(forKey: handle(value)) { send(after: frame, from: device) }
            }
        }
        """#
}
