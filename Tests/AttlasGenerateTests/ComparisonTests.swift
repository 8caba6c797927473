import AttlasDefinitionFiles
import AttlasGenerate
import AttlasTestSupport
import Foundation
import Testing

/// Generated programs read and write what attlas reads.
@Suite struct GeneratedCodeTests {
    /// The examples of the definitions, as tests of the generated code.
    @Test(arguments: [CodeLanguage.c, .python]) func examplesAsTests(_ language: CodeLanguage) throws {
        let names = ["heart-rate", "continuous-glucose-monitoring", "temperature", "battery", "electricity"]
        let sources = try names.flatMap { try DefinitionSource.files(at: Repository.path("Dissectors/\($0).yaml")) }
        let form = try ComparedCodecs(sources).form
        let folder = try TemporaryFolder()
        var command = "python3 -m unittest -q tests.py > /dev/null"
        if language == .c {
            try folder.write(language.code(of: form).utf8, to: "codecs.h")
            command = "gcc -std=c99 -Wall -Wextra -Wconversion -Werror -o tests tests.c && ./tests"
        } else {
            try folder.write(language.code(of: form).utf8, to: "codecs_under_test.py")
        }
        let tests = language.tests(of: form, importing: language == .c ? "codecs.h" : "codecs_under_test")
        try folder.write(tests.utf8, to: language == .c ? "tests.c" : "tests.py")
        let output = try ComparingPrograms.run(command, in: folder)
        #expect(output.hasSuffix("status 0\n"), "\(output)")
        // A test that nothing would fail is none.
        try folder.write(tests.replacing("0x", with: "0x1").utf8, to: language == .c ? "tests.c" : "tests.py")
        #expect(try !ComparingPrograms.run(command, in: folder).hasSuffix("status 0\n"))
    }

    /// The page has an example of everything that a definition may say.
    @Test(arguments: CodeLanguage.allCases) func theWholeFormat(_ language: CodeLanguage) throws {
        let page = try Repository.text("Documentation/dissectors.md")
        let sources = page.components(separatedBy: "```yaml\n").dropFirst().enumerated().map { number, text in
            DefinitionSource(path: "\(number).yaml", text: text.components(separatedBy: "```")[0])
        }
        try GeneratedCode.compare(ComparedCodecs(sources), in: language, perCodec: 200)
    }
}

/// All definitions of Dissectors/, in parts that a compiler can hold.
@Suite(.serialized) struct GeneratedCodeLongTests {
    static let parts: [[DefinitionSource]] = {
        let folder = Repository.path(ProcessInfo.processInfo.environment["ATTLAS_CODEC_FOLDER"] ?? "Dissectors")
        let sources = (try? DefinitionSource.files(at: folder)) ?? []
        return stride(from: 0, to: sources.count, by: 20).map { Array(sources[$0..<min($0 + 20, sources.count)]) }
    }()

    @Test(arguments: [CodeLanguage.c, .python, .swift], parts.indices) func everyDefinition(
        _ language: CodeLanguage, _ part: Int
    )
        throws
    {
        let count = ProcessInfo.processInfo.environment["ATTLAS_CODEC_INPUTS"].flatMap { Int($0) } ?? 200
        try GeneratedCode.compare(ComparedCodecs(Self.parts[part]), in: language, perCodec: count)
    }
}

enum GeneratedCode {
    /// Compiles the codecs and expects no difference for any input.
    static func compare(_ compared: ComparedCodecs, in language: CodeLanguage, perCodec count: Int) throws {
        let folder = try TemporaryFolder()
        let command = try compile(
            compared.form, language, program: ComparingPrograms.text(of: compared.form, in: language), in: folder)
        let inputs = compared.inputs(perCodec: count, seed: 0x5EED)
        try folder.write(ComparedCodecs.lines(inputs), to: "input")
        let expected = compared.expected(inputs)
        let got = try ComparingPrograms.output(command, in: folder)
        try #require(got.count == expected.count)
        var differences: [String] = []
        for (input, (expected, got)) in zip(inputs, zip(expected, got)) {
            // An array of C has a limit.
            if expected == got || got == "capacity" { continue }
            let codec = compared.form.codecs[input.codec]
            // Octets that a number does not need are not written again.
            if codec.hasSeveralForms, expected.prefix(while: { $0 != " " }) == got.prefix(while: { $0 != " " }) {
                continue
            }
            differences.append(
                "\(codec.definition.name) \(ComparedCodecs.hexadecimal(input.octets)): got \(got), expected \(expected)"
            )
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(20).joined(separator: "\n"))")
        let accepted = expected.count { $0 != "refused" }
        #expect(accepted > inputs.count / 10)
        #expect(got.count { $0 == "capacity" } <= accepted / 20)
        print(
            "\(language): \(compared.form.codecs.count) layouts, \(inputs.count) inputs, \(accepted) of them accepted")
    }

    /// - Returns: the command that runs the program.
    static func compile(
        _ form: CodecForm, _ language: CodeLanguage, program: String, in folder: TemporaryFolder
    ) throws -> String {
        let code = language.code(of: form)
        switch language {
        case .swift:
            try folder.write(code.utf8, to: "Codecs.swift")
            try folder.write(program.utf8, to: "Program.swift")
            let output = try ComparingPrograms.run(
                "swiftc -swift-version 6 -warnings-as-errors -o program Codecs.swift Program.swift", in: folder)
            expect(output, equals: "status 0\n")
            return "./program"
        case .c:
            try folder.write(code.utf8, to: "codecs.h")
            try folder.write(program.utf8, to: "program.c")
            let output = try ComparingPrograms.run(
                "gcc -std=c99 -Wall -Wextra -Wconversion -Werror -fsanitize=address,undefined "
                    + "-fno-sanitize-recover=all -o program program.c", in: folder)
            expect(output, equals: "status 0\n")
            return "./program"
        case .python:
            try folder.write(code.utf8, to: "codecs_under_test.py")
            try folder.write(program.utf8, to: "program.py")
            return "python3 program.py"
        }
    }
}
