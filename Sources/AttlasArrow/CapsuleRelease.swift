import CArrow
import Glibc

/// attlas.h describes it.
@_cdecl("attlas_destroy_capsule")
public func destroyCapsule(_ capsule: UnsafeMutableRawPointer) {
    guard let python = unsafe PythonSignals.python, let name = unsafe python.capsule_name(capsule),
        let content = unsafe python.capsule_pointer(capsule, name)
    else { return }
    // A consumer that took a structure has released it, or moved it away.
    switch unsafe String(cString: name) {
    case "arrow_array_stream":
        let stream = unsafe content.assumingMemoryBound(to: ArrowArrayStream.self)
        unsafe stream.pointee.release?(stream)
    case "arrow_schema":
        let schema = unsafe content.assumingMemoryBound(to: ArrowSchema.self)
        unsafe schema.pointee.release?(schema)
    case "arrow_array":
        let array = unsafe content.assumingMemoryBound(to: ArrowArray.self)
        unsafe array.pointee.release?(array)
    default: return unsafe closeTables(content)
    }
    unsafe Glibc.free(content)
}
