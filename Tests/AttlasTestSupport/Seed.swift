import Foundation

/// A new seed in every run, unless `ATTLAS_FUZZ_SEED` gives one. It is printed first, because a finding may stop the program.
public func seed(for what: String) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["ATTLAS_FUZZ_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    print("\(what): ATTLAS_FUZZ_SEED=\(seed) repeats this")
    return seed
}
