import AttlasLocks

/// Errors from any thread, for the one that paints.
final class ScreenMessages: Sendable {
    private let messages = Locked<[String]>([])

    func say(_ message: String) {
        messages.withLock { messages in
            // Without an observer, the last ones.
            if messages.count == 20 { messages.removeFirst() }
            messages.append(message)
        }
    }

    func take() -> [String] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}
