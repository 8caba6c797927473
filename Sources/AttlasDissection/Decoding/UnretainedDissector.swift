/// What reading a value uses without counting references: a retain and a release for each value cost as much as reading a
/// field. The owner also holds the object.
@safe struct UnretainedDissector<Object: AnyObject> {
    private unowned(unsafe) let stored: Object

    init(_ object: Object) {
        unsafe stored = object
    }

    var object: Object {
        @inline(__always) get { unsafe stored }
    }
}

/// The operations of a dissector in separate memory, because reading an array out of a class counts references, too. Written
/// once, here.
@safe struct OperationStorage: @unchecked Sendable {
    fileprivate let storage: UnsafeMutableBufferPointer<Operation>

    init(_ operations: [Operation]) {
        unsafe storage = .allocate(capacity: operations.count)
        _ = unsafe storage.initialize(from: operations)
    }

    /// Call it when the dissector is released.
    func deallocate() {
        unsafe storage.deallocate()
    }
}

extension Dissector {
    var operations: Span<Operation> {
        @_lifetime(borrow self) get {
            let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(operationStorage.storage))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}
