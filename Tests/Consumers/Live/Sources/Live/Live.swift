// A program that follows a conversation through a pipe, and opens archives.
import AttlasFiles
import AttlasLive

@main struct Live {
    static func main() async throws {
        if CommandLine.arguments.count > 1 {
            for capture in try Capture.all(in: CommandLine.arguments[1]) {
                print(capture.name, Array(capture.operations).count)
            }
            return
        }
        for try await operation in LiveCapture(.standardInput).operations where operation.method == .notification {
            print(operation.frame, operation)
        }
    }
}
