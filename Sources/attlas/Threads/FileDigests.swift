import AttlasCapture
import AttlasInput
import AttlasLocks
import AttlasThreads

/// The digests of files, computed by separate threads while the captures in the files are decoded.
final class FileDigests: Sendable {
    private struct State {
        /// By their paths: the captures of an archive have one digest.
        var digests: [String: CaptureDigest] = [:]
        var begun: Set<String> = []
        var workers: [Worker] = []
    }

    private let state = Locked(State())

    /// Begins with the files of a capture, one after another.
    func begin(_ paths: [String]) {
        let new = state.withLock { state in paths.filter { state.begun.insert($0).inserted } }
        guard !new.isEmpty, let worker = Worker({ [self] in for path in new { _ = compute(path) } }) else { return }
        state.withLock { $0.workers.append(worker) }
    }

    /// Digests of these files, when all work in progress is done.
    func digests(of paths: [String]) -> [CaptureDigest] {
        let workers = state.withLock { state in
            let workers = state.workers
            state.workers = []
            return workers
        }
        for worker in workers { worker.join() }
        // Those for which there was no thread are computed now.
        return paths.map { path in state.withLock { $0.digests[path] } ?? compute(path) }
    }

    private func compute(_ path: String) -> CaptureDigest {
        let digest = CaptureDigest(path: path)
        state.withLock { $0.digests[path] = digest }
        return digest
    }
}
