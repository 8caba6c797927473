import AttlasDissection
import AttlasWire

extension CodecForm {
    /// - Parameters:
    ///   - files: all their definitions with fields are generated.
    ///   - name: of the device, a prefix of what is not in a type.
    ///   - resolve: finds the definition that a field uses, if it is not in the same file.
    package init(
        _ files: [DefinitionFile], name: String, resolve: @escaping (BluetoothUUID) -> AttributeDefinition?
    ) {
        self.name = CodeName(name, fallback: "device")
        var types = NameScope(reserved: Self.ownNames(self.name))
        for file in files {
            for definition in file.attributes where !definition.layouts.isEmpty {
                do {
                    try add(definition, of: file, &types, resolve)
                } catch {
                    // A field of a definition that is used has its place in another file.
                    let isOwn = error.position.line >= definition.position.line
                    refusals.append(
                        Refusal(
                            name: definition.name, path: file.path,
                            position: isOwn ? error.position : definition.position, message: error.message))
                }
            }
        }
    }

    /// `led-strip`
    package static func name(ofFile path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.split(separator: ".").first ?? name)
    }

    private mutating func add(
        _ definition: AttributeDefinition, of file: DefinitionFile, _ types: inout NameScope,
        _ resolve: @escaping (BluetoothUUID) -> AttributeDefinition?
    ) throws(CompileMistake) {
        if let cipher = definition.assembly?.cipher, cipher.kind != .exclusiveOr {
            throw CompileMistake(position: definition.position, message: "there is no code for AES")
        }
        let tree = try LayoutTree(definition) { file.definition(of: $0) ?? resolve($0) }
        var own = types
        var built: [Codec] = []
        for program in tree.programs {
            var name = CodeName(definition.name, fallback: "value")
            if tree.programs.count > 1 {
                name = name + CodeName(program.operations.map(\.word).joined(separator: " or "))
            }
            if own.has(name, forms: NameScope.typeForms), !file.path.isEmpty {
                name = CodeName(Self.name(ofFile: file.path), fallback: "device") + name
            }
            let facts = try LayoutFacts(tree, program: program, context: definition.context)
            var builder = CodecBuilder(facts: facts, types: own)
            built.append(try builder.build(program, tree, of: definition, name: name))
            own = builder.types
        }
        codecs += built
        types = own
    }

    /// What printers add to the types, and the names of the libraries.
    private static func ownNames(_ prefix: CodeName) -> Set<String> {
        let own = """
            error input output status ok truncated size check uuid varint missing unexpected range inconsistent capacity buffer
            read readvarint take write writevarint put patch next set isuuid octets octetsequal reversed checksum round
            pow10 decimal medfloat medfloatraw piece number constant digits isat takeuntil endsfirst fromzigzag zigzag frommagnitude
            joined ismagnitude magnitude fromdecimal decimaldigits hexadecimal trimmed text until
            """.split { $0 == " " || $0 == "\n" }.map { String($0) }
        // Of C, where the names of types have the prefix, too.
        let joining = [
            "joiner", "join", "split", "format", "header", "ciphered", "stuff", "unstuff", "unescape", "ismark",
        ]
        return Set(own + own.map { prefix.canonical + $0 } + joining)
    }
}
