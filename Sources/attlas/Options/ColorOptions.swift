import ArgumentParser
import AttlasCapture
import AttlasText
import Glibc

struct ColorOptions: ParsableArguments {
    enum When: String, ExpressibleByArgument, CaseIterable {
        case always, auto, never
    }

    @Option(help: "Colour: always, never, or auto (on a terminal, unless NO_COLOR is set).")
    var color = When.auto

    var isColoured: Bool {
        switch color {
        case .always: true
        case .never: false
        case .auto: Self.isColouredByDefault
        }
    }

    static var isColouredByDefault: Bool {
        Output.isTerminal && (SystemCalls.environment("NO_COLOR").map { $0.isEmpty } ?? true)
    }
}
