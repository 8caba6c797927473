// What libFuzzer calls. SwiftPM does not link it; run.sh does.
import AttlasFuzz
import Glibc

private nonisolated(unsafe) let fuzzer = Fuzzer()
private let target = FuzzTarget(rawValue: String(cString: getenv("ATTLAS_FUZZ_TARGET"))) ?? .pipeline
private let isStructured = getenv("ATTLAS_FUZZ_OCTETS") == nil
private nonisolated(unsafe) var told = 0

@_silgen_name("LLVMFuzzerMutate")
private func mutateOctets(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int) -> Int

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    fuzzer.run(target, Array(UnsafeBufferPointer(start: data, count: size)))
    if fuzzer.records - told >= 1_000_000 {
        told = fuzzer.records
        let line = "attlas: \(fuzzer.inputs) inputs, \(fuzzer.records) records\n"
        _ = line.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, line.utf8.count) }
    }
    return 0
}

/// Three inputs of four are changed within their records, when they have records.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximum: Int, _ seed: CUnsignedInt) -> Int
{
    guard target == .pipeline, isStructured, size > 0, seed % 4 != 0 else { return mutateOctets(data, size, maximum) }
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    var list = RecordList(encoded: input.dropFirst())
    var mutator = RecordMutator(seed: UInt64(seed))
    mutator.mutate(&list)
    let head = seed % 16 == 1 ? UInt8(truncatingIfNeeded: seed >> 8) : input[0]
    let output = ([head] + list.encoded).prefix(maximum)
    for (index, octet) in output.enumerated() { data[index] = octet }
    return output.count
}
