import ArgumentParser
import AttlasFuzz
import Foundation

/// A capture that would need more memory than the machine has.
struct MakeAttack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack", abstract: "Write a capture that wants more memory than there is to standard output.",
        discussion: "attlas-fuzz attack connections | /usr/bin/time -v attlas show - > /dev/null")

    @Argument var attack: Attack

    @Option(help: "How often; as often as it gets when not given.")
    var count: Int?

    func run() throws {
        var stream = BTSnoopStream()
        let output = FileHandle.standardOutput
        attack.generate(count: count ?? attack.fullSize) { entry in
            stream.append(entry)
            guard stream.octets.count > 1 << 18 else { return }
            output.write(Data(stream.octets))
            stream.octets.removeAll(keepingCapacity: true)
        }
        output.write(Data(stream.octets))
    }
}

extension Attack: ExpressibleByArgument {}
