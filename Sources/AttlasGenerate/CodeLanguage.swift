/// A language that code is generated in.
package enum CodeLanguage: String, CaseIterable, Sendable {
    case swift, c, python

    /// - Parameters:
    ///   - conformsToBluejay: Bluejay reads and writes Swift types.
    ///   - isForHomeAssistant: a parser for Home Assistant follows Python's types.
    package func code(
        of form: CodecForm, conformsToBluejay: Bool = false, isForHomeAssistant: Bool = false
    ) -> String {
        let printer: CodecPrinter
        switch self {
        case .swift: printer = SwiftPrinter(form, conformsToBluejay: conformsToBluejay)
        case .c: printer = CPrinter(form)
        case .python: printer = PythonPrinter(form, isForHomeAssistant: isForHomeAssistant)
        }
        printer.printFile()
        return printer.code.text
    }

    /// The examples of the definitions as tests of the code.
    ///
    /// - Parameter module: what the tests import: a module, or in C a header.
    package func tests(of form: CodecForm, importing module: String) -> String {
        var printer = ExamplePrinter(form, language: self, module: module)
        return printer.text()
    }
}
