import ArgumentParser
import AttlasReport
import Glibc

struct ColorOptions: ParsableArguments {
    enum When: String, ExpressibleByArgument, CaseIterable {
        case always, auto, never
    }

    @Option(help: "Colour: always, never, or auto: on a terminal, unless NO_COLOR is set.")
    var color = When.auto

    var isColoured: Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: Output.isTerminal && (getenv("NO_COLOR").map { String(cString: $0).isEmpty } ?? true)
        }
    }
}
