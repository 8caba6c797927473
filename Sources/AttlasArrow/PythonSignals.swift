import AttlasCapture
import CArrow
import Glibc

/// Signals of the Python program that this library is loaded in.
///
/// Python runs their handlers between two instructions of its main thread: never while that thread decodes. Here they run at least every 50
/// ms. An exception of a handler, such as KeyboardInterrupt, ends the reading, and is raised again by Python's next instruction.
@safe enum PythonSignals {
    private typealias Raised = (
        type: UnsafeMutableRawPointer?, value: UnsafeMutableRawPointer?, trace: UnsafeMutableRawPointer?
    )

    /// nil for other programs. Set once, before anything is read.
    nonisolated(unsafe) static var python: attlas_python?
    private static let pace: Int64 = 50_000_000
    // Only of the main thread.
    nonisolated(unsafe) private static var due: Int64 = 0
    nonisolated(unsafe) private static var isEnding = false
    nonisolated(unsafe) fileprivate static var interruptions = 0

    /// To be called when Python calls this library.
    static func begin() {
        if let python = unsafe python, python.main_thread == pthread_self() { unsafe isEnding = false }
    }

    /// Whether a handler has raised an exception since `begin`. Always false in threads other than the main thread.
    static var haveInterrupted: Bool {
        guard let python = unsafe python, python.main_thread == pthread_self() else { return false }
        let now = SystemCalls.nanoseconds(CLOCK_MONOTONIC)
        guard unsafe !isEnding, unsafe now >= due else { return unsafe isEnding }
        unsafe due = now + pace
        // The thread may hold Python's lock or not.
        let state = python.ensure()
        defer { python.release(state) }
        guard python.check_signals() != 0 else { return false }
        unsafe isEnding = true
        unsafe interruptions += 1
        var raised: Raised = (nil, nil, nil)
        unsafe python.fetch(&raised.type, &raised.value, &raised.trace)
        let memory = UnsafeMutablePointer<Raised>.allocate(capacity: 1)
        unsafe memory.initialize(to: raised)
        let isPending = unsafe python.add_pending_call(
            { memory in
                guard let raised = unsafe memory?.assumingMemoryBound(to: Raised.self) else { return 0 }
                unsafe PythonSignals.python?.restore(raised.pointee.type, raised.pointee.value, raised.pointee.trace)
                unsafe raised.deallocate()
                return -1
            }, memory)
        if isPending != 0 {
            unsafe python.restore(raised.type, raised.value, raised.trace)
            unsafe memory.deallocate()
        }
        return true
    }
}

/// attlas.h describes it.
@_cdecl("attlas_use_python")
public func usePython(_ functions: UnsafeRawPointer) {
    unsafe PythonSignals.python = functions.load(as: attlas_python.self)
    Interruption.setHost { PythonSignals.haveInterrupted }
}

/// attlas.h describes it.
@_cdecl("attlas_interruptions")
public func interruptions() -> Int { unsafe PythonSignals.interruptions }
