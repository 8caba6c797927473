import Testing

/// `#expect(actual == expected)` in a tenth of the time to compile: the compiler checks the types of what that macro makes of every use.
package func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let difference = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    Issue.record("\(difference)\(comment().map { ": \($0.rawValue)" } ?? "")", sourceLocation: sourceLocation)
}
