import Foundation

/// What the tests run under (`make sanitize`).
public enum Sanitizer {
    private static let name = ProcessInfo.processInfo.environment["ATTLAS_SANITIZER"]

    /// Not under a sanitizer, whose own memory is many times ours.
    public static let leavesMemoryAlone = name == nil
    public static let isThreadSanitizer = name == "thread"
}
