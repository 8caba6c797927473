import Testing

/// `#expect(actual == expected)` that compiles several times as fast: the compiler checks all that the macro writes at each of its uses.
package func expect<Value: Equatable>(
    _ actual: Value, equals expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let difference = "\(String(reflecting: actual)) is not \(String(reflecting: expected))"
    Issue.record("\(difference)\(comment().map { ": \($0.rawValue)" } ?? "")", sourceLocation: sourceLocation)
}
