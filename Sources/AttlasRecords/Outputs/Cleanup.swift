import AttlasLocks

/// Work that remains if a signal ends the process early.
package struct Cleanup: Sendable {
    private struct List {
        var next = 0
        var bodies: [Int: @Sendable () -> Void] = [:]
    }

    private static let list = Locked(List())
    private let number: Int

    package init(_ body: @escaping @Sendable () -> Void) {
        number = Self.list.withLock { list in
            list.next += 1
            list.bodies[list.next] = body
            return list.next
        }
    }

    /// It was done.
    package func isDone() {
        _ = Self.list.withLock { $0.bodies.removeValue(forKey: number) }
    }

    /// Does all of it. The process ends afterwards.
    package static func run() {
        for body in list.withLock({ $0.bodies.values.map(\.self) }) { body() }
    }
}
