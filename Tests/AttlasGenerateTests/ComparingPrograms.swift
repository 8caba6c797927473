import AttlasGenerate
import AttlasTestSupport
import Foundation
import Testing

/// Programs around generated code that read lines of a codec and octets, and print what they read and what they write again.
enum ComparingPrograms {
    /// Runs a command of the shell.
    static func run(_ command: String, in folder: TemporaryFolder, input: [UInt8] = []) throws -> String {
        let shell = try #require(Tool("sh"))
        let output = try shell.run(["-c", "(\(command)) 2>&1; echo \"status $?\""], in: folder.url, input: input)
        return String(decoding: output, as: UTF8.self)
    }

    /// The lines that a program prints for those of the file "input".
    static func output(_ command: String, in folder: TemporaryFolder) throws -> [String] {
        let output = try run("\(command) < input", in: folder)
        var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        expect(lines.popLast(), equals: "")
        expect(
            lines.popLast(), equals: "status 0",
            "\(lines.filter { $0.contains("rror") }.prefix(4).joined(separator: "\n")) … \(lines.last ?? "")")
        return lines
    }

    static func text(of form: CodecForm, in language: CodeLanguage) -> String {
        switch language {
        case .swift: swift(form)
        case .c: c(form)
        case .python: python(form)
        }
    }

    // MARK: Swift

    private static func swift(_ form: CodecForm) -> String {
        let rows = form.codecs.map { codec in
            let hidden = codec.context.map { "\"\($0.member.name.camel)\"" }.joined(separator: ", ")
            return """
                rows.append { octets in
                    let value = try \(codec.name.pascal)(octets)
                    return (text(value, without: [\(hidden)]), try? value.encode())
                }

                """
        }
        return """
            func text(_ value: Any, without hidden: [String] = []) -> String {
                if let number = value as? any BinaryInteger { return "\\(number)" }
                if let named = value as? any RawRepresentable { return text(named.rawValue) }
                let mirror = Mirror(reflecting: value)
                switch mirror.displayStyle {
                case .optional: return mirror.children.first.map { text($0.value) } ?? "-"
                case .collection: return "[" + mirror.children.map { text($0.value) }.joined(separator: ",") + "]"
                default:
                    let members = mirror.children.filter { !hidden.contains($0.label ?? "") }
                    return "(" + members.map { text($0.value) }.joined(separator: ",") + ")"
                }
            }
            @main enum Program {
                static func main() throws {
                    var rows: [([UInt8]) throws -> (String, [UInt8]?)] = []
                    add(&rows)
                    while let line = readLine() {
                        let words = line.split(separator: " ")
                        let digits = Array(words[1].utf8.dropFirst())
                        let octets = stride(from: 0, to: digits.count, by: 2).map { index in
                            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)!
                        }
                        guard let (text, written) = try? rows[Int(words[0])!](octets) else {
                            print("refused")
                            continue
                        }
                        let hex = written.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() }
                        print(text, hex ?? "not written")
                    }
                }
            }
            func add(_ rows: inout [([UInt8]) throws -> (String, [UInt8]?)]) {
            \(rows.joined())
            }
            """
    }

    // MARK: Python

    private static func python(_ form: CodecForm) -> String {
        let rows = form.codecs.map { codec in
            "    (codecs.\(codec.name.pascal), {\(codec.context.map { "\"\($0.member.name.snake)\"" }.joined(separator: ", "))}),\n"
        }
        return """
            import codecs_under_test as codecs
            import dataclasses
            import sys

            rows = [
            \(rows.joined())]

            def text(value, hidden=()):
                if value is None:
                    return "-"
                if isinstance(value, int):
                    return str(int(value))
                if isinstance(value, (bytes, list)):
                    return "[" + ",".join(text(item) for item in value) + "]"
                fields = [field for field in dataclasses.fields(value) if field.name not in hidden]
                return "(" + ",".join(text(getattr(value, field.name)) for field in fields) + ")"

            for line in sys.stdin:
                index, digits = line.split()
                codec, hidden = rows[int(index)]
                try:
                    value = codec.decode(bytes.fromhex(digits[1:]))
                except codecs.CodecError:
                    print("refused")
                    continue
                try:
                    written = value.encode().hex().upper()
                except codecs.CodecError:
                    written = "not written"
                print(text(value, hidden), written)
            """
    }

    // MARK: C

    private static func c(_ form: CodecForm) -> String {
        var text = """
            #include "codecs.h"
            #include <inttypes.h>
            #include <stdio.h>
            #include <stdlib.h>
            static void print_octets(tested_octets octets) {
                putchar('[');
                for (size_t i = 0; i < octets.count; i++) printf(i ? ",%u" : "%u", (unsigned)octets.octets[i]);
                putchar(']');
            }

            """
        for record in form.codecs.flatMap(\.records) { text += cPrinter(record) }
        for (index, codec) in form.codecs.enumerated() {
            let name = "tested_\(codec.name.snake)"
            let context = codec.context.map { _ in ", NULL" }.joined()
            text += """
                static void run_\(index)(const uint8_t *octets, size_t count) {
                    static \(name) value;
                    size_t written = 0;
                    uint8_t *out = malloc(count + 16);
                    tested_status status = \(name)_decode(&value, octets, count\(context));
                    if (status != TESTED_OK) {
                        puts(status == TESTED_CAPACITY ? "capacity" : "refused");
                    } else {
                        print_\(name)(&value);
                        putchar(' ');
                        if (\(name)_encode(&value, out, count + 16, &written) != TESTED_OK) printf("not written");
                        for (size_t i = 0; i < written; i++) printf("%02X", (unsigned)out[i]);
                        putchar('\\n');
                    }
                    free(out);
                }

                """
        }
        let runs = form.codecs.indices.map { "run_\($0)" }.joined(separator: ", ")
        return text + """
            int main(void) {
                static void (*const runs[])(const uint8_t *, size_t) = {\(runs)};
                static char line[8192];
                unsigned index;
                while (scanf("%u x", &index) == 1) {
                    if (fgets(line, sizeof line, stdin) == NULL) return 1;
                    size_t count = strspn(line, "0123456789ABCDEF") / 2;
                    /* Exactly as many octets as there are: a sanitizer sees a read of one more. */
                    uint8_t *octets = malloc(count > 0 ? count : 1);
                    for (size_t i = 0; i < count; i++) {
                        char digits[3] = {line[2 * i], line[2 * i + 1], 0};
                        octets[i] = (uint8_t)strtoul(digits, NULL, 16);
                    }
                    runs[index](octets, count);
                    free(octets);
                }
                return 0;
            }
            """
    }

    private static func cPrinter(_ record: CodecRecord) -> String {
        let name = "tested_\(record.name.snake)"
        var parts: [String] = []
        for member in record.stored {
            let field = member.name.snake
            func print(_ place: String) -> String {
                switch member.kind {
                case .octets, .unexplained: "print_octets(\(place));"
                case .record(let inner): "print_tested_\(inner.name.snake)(&\(place));"
                case .number(_, true), .computed: "printf(\"%\" PRId64, (int64_t)\(place));"
                default: "printf(\"%\" PRIu64, (uint64_t)\(place));"
                }
            }
            if case .context = member.kind { continue }
            switch member.presence {
            case .required: parts.append(print("value->\(field)"))
            case .optional: parts.append("if (value->has_\(field)) { \(print("value->\(field)")) } else putchar('-');")
            case .repeated:
                parts.append(
                    "putchar('['); for (size_t i = 0; i < value->\(field)_count; i++) { if (i) putchar(','); "
                        + "\(print("value->\(field)[i]")) } putchar(']');")
            }
        }
        return """
            static void print_\(name)(const \(name) *value) {
                (void)value;
                putchar('(');
                \(parts.joined(separator: "\n    putchar(',');\n    "))
                putchar(')');
            }

            """
    }
}
