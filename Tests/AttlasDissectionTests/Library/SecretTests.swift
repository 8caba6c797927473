import AttlasDefinitionFiles
import AttlasDefinitions
import AttlasDissection
import AttlasTestSupport
import AttlasWire
import Testing

/// Everything that is named like a key or a secret is withheld, or is listed here with the reason why it is not.
@Suite struct SecretTests {
    /// Words in the names of secrets, and of much else.
    private static let words: Set<String> = [
        "key", "keys", "code", "codes", "pin", "passkey", "password", "secret", "random", "rand", "sirk", "irk", "ltk",
        "csrk", "tk", "token", "credential", "credentials", "authentication", "authorization", "oob", "nonce",
        "iv", "hash", "salt", "encrypt", "encrypted", "plaintext", "plain", "seed", "challenge", "consent", "unlock",
        "lock", "confirm", "confirmation", "numeric", "diversifier",
    ]

    private static func isSuspicious(_ name: String) -> Bool {
        !words.isDisjoint(with: name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }

    /// Fields of these names are shown wherever they are.
    private static let shownFields: [String: String] = [
        "Op Code": "names an operation", "Requested Op Code": "names an operation",
        "Request Op Code": "names an operation", "Result Code": "names an outcome",
        "Response Code": "names an outcome", "Response Code Value": "names an outcome",
        "Error Code": "names an outcome", "Status Code": "names an outcome", "Hardware Code": "names an outcome",
        "Code": "names an operation or a kind of value", "Unit Code": "names a unit", "Country Code": "names a country",
        "Key Code": "is a key of a keyboard", "Token Rate": "of a flow", "Token Bucket Size": "of a flow",
        "Key Type": "a kind of key",
        "Key Flag": "a kind of key", "Key Size": "octets of a key", "PIN Type": "fixed or variable",
        "PIN Code Length": "a length", "SIRK Type": "a kind of key", "Num Keys": "a count",
        "Num Keys Read": "a count", "Num Keys To Write": "a count", "Num Keys Written": "a count",
        "Num Keys Deleted": "a count", "Max Num Keys": "a count", "Dedicated AMP Key Length": "a length",
        "Dedicated AMP Key Type": "a kind of key", "Encryption Key Size": "octets of a key",
        "Min Encryption Key Size": "octets of a key", "Max Encryption Key Size": "octets of a key",
        "Key X Coordinate": "of a public key", "Key Y Coordinate": "of a public key",
        "Remote P-256 Public Key": "a public key", "Public Key": "whether there is one",
        "Public Key X": "a public key", "Public Key Y": "a public key", "Public Key Type": "a kind of key",
        "Encrypted Diversifier": "is sent in the clear, and selects a key",
        "OOB Data Present": "whether there is some", "OOB Type": "a kind", "OOB Information": "a kind",
        "Input OOB Size": "a length", "Input OOB Action": "a kind", "Output OOB Size": "a length",
        "Output OOB Action": "a kind", "Authentication Requirements": "a kind",
        "Authentication Enable": "on or off", "Authentication Method": "a kind", "Authentication Action": "a kind",
        "Authentication Size": "a length", "Random Address": "an address", "Confirm Hint": "whether to ask",
        "Database Hash": "of public attributes",
        "URI Hash": "is advertised", "Hash": "is advertised", "Random": "is sent in the clear",
        "Salt": "is advertised", "Device Hash": "is advertised", "IV Index": "is broadcast",
        "Authentication Value": "of a beacon, which is broadcast", "Authentication Tag": "of a beacon",
        "Confirmation": "is sent in the clear, of a number that is used once",
        "Encrypted Provisioning Data": "is encrypted", "Encrypted TLM Data": "is encrypted",
        "Associated Encrypted Metadata": "is encrypted", "Encrypted": "is encrypted",
        "RTT Random Sequence N": "an ability", "NADM Random Capability": "an ability",
        "DRBG Nonce": "of a test", "CS IV C": "expires with the connection", "CS IV P": "expires with the connection",
        "Set Member Lock": "locked or not",
        "Management Op Code": "names an operation", "Beacon Code": "names a format", "Key Bits": "is advertised",
        "Setup Hash": "is advertised", "Key Check": "is advertised", "Encrypted Request": "is encrypted",
        "Encrypted Response": "is encrypted", "Encrypted Name": "is encrypted",
        "Message Authentication": "of what is encrypted", "Nonce": "is sent in the clear",
        "Client Public Key": "a public key", "Device Public Key": "a public key",
        "Device Random": "is sent in the clear",
        "Challenge": "is sent in the clear", "Challenge Length": "a length", "Secret Length": "a length",
        "Pin": "of a chip", "Pin 1": "of a chip", "Pin 2": "of a chip", "Pin 3": "of a chip", "Pin 4": "of a chip",
    ]

    /// … of these, where they are.
    private static let shownPlaces: [String: String] = [
        "service data FE95 · Lock": "states of a door",
        "service data FFFA · Application Code": "a kind", "service data FFFA · Authentication Type": "a kind",
        "characteristic 2B8B · Numeric Value": "is a measurement",
        "HCI command 0x0C11 · Key": "is made of an address and a key, which is withheld",
        "HCI event 0x15 · Key": "is made of an address and a key, which is withheld",
        "HCI command 0x2019 · Random Number": "is sent in the clear, and selects a key",
        "LE event 0x05 · Random Number": "is sent in the clear, and selects a key",
        "HCI event 0x33 · Numeric Value": "is compared by a person; no key follows from it",
    ]

    /// Attributes of these names have no field that is withheld.
    private static let shownAttributes: [String: String] = [
        "HTTP Status Code": "names an outcome", "Country Code": "names a country",
        "Database Hash": "of public attributes",
        "Set Member Lock": "locked or not",
        "Public ECDH Key": "a public key", "Random Target Address": "an address",
        "Encrypted Advertising Data": "is encrypted with a key that is not sent",
        "Key-based Pairing": "is encrypted with a key that is not sent",
        "Authentication": "challenges and answers", "Authentication to Device": "challenges and answers",
        "Authentication to Client": "challenges and answers", "URL Lock State": "locked or not",
        "Adafruit Pixel Pin": "a pin of a chip", "Adafruit Pixel Pin Type": "a pin of a chip",
        "Helium Hotspot Public Key": "a public key",
        "External Pin": "a pin of a chip", "micro:bit IO Pin": "a pin of a chip", "Pin Data": "of the pins of a chip",
        "Pin AD Configuration": "of the pins of a chip", "Pin IO Configuration": "of the pins of a chip",
    ]

    @Test func everyFieldIsDecided() {
        var undecided: [String] = []
        var names: Set<String> = []
        for definition in Self.definitions {
            for field in definition.layouts.flatMap({ Self.fields($0.elements) }) where Self.isSuspicious(field.name) {
                names.insert(field.name)
                if field.isSecret || Self.shownFields[field.name] != nil { continue }
                let place = "\(definition.kind) \(definition.key) · \(field.name)"
                names.insert(place)
                if Self.shownPlaces[place] == nil { undecided.append("\(place) (\(definition.name))") }
            }
        }
        expect(undecided, equals: [])
        expect(
            Set(Self.shownFields.keys).union(Self.shownPlaces.keys).subtracting(names), equals: [], "no longer there")
    }

    @Test func everyAttributeIsDecided() {
        let table = AssignedNumbers.Table.characteristics
        for definition in Self.definitions where !definition.key.space.isPacket && Self.isSuspicious(definition.name) {
            let isWithheld = definition.layouts.contains { Self.fields($0.elements).contains(where: \.isSecret) }
            #expect(isWithheld || Self.shownAttributes[definition.name] != nil, "\(definition.key) \(definition.name)")
        }
        for number in UInt16.min...UInt16.max {
            guard let name = DissectorLibrary.shipped.assignedNumbers.name(number, in: table),
                Self.isSuspicious(name), Self.shownAttributes[name] == nil
            else { continue }
            #expect(DissectorLibrary.shipped.dissector(for: BluetoothUUID(number))?.hasSecrets == true, "\(name)")
        }
    }

    /// MGMT commands and events, which the records of the Linux monitor hold.
    @Test func everyManagementPacketIsDecided() {
        let shown: Set = [
            // An address, or an answer.
            "PIN Code Negative Reply", "User Confirmation Reply", "User Confirmation Negative Reply",
            "User Passkey Negative Reply", "Confirm Name", "Set Debug Keys", "PIN Code Request", "User Passkey Request",
            "Authentication Failed",
            // A number that is compared by a person.
            "User Confirmation Request",
        ]
        for (opcode, table) in [(UInt16(16), AssignedNumbers.Table.mgmtCommands), (17, .mgmtEvents)] {
            for number in UInt16(0)...0xFF {
                guard let name = DissectorLibrary.shipped.assignedNumbers.name(number, in: table),
                    Self.isSuspicious(name) || name.contains("Out Of Band"), !name.hasPrefix("Remove")
                else { continue }
                let octets = [1, 0, 0, 0, UInt8(number), 0] + [UInt8](repeating: 0xA1, count: 40)
                let dissector = DissectorLibrary.shipped.dissector(for: .monitorRecord(opcode))
                var dissection = Dissection()
                dissector?.dissect(Bytes(octets.span), from: 0, into: &dissection)
                let isAnswer = name.hasPrefix("Read")
                #expect(
                    dissector?.holdsKey(dissection) == true || shown.contains(name) || isAnswer, "0x\(number) \(name)")
            }
        }
    }

    private static let definitions: [AttributeDefinition] =
        DefinitionLoader(ShippedDefinitionTests.shipped, above: DissectorLibrary.empty).files.flatMap(\.attributes)
        + ShippedDefinitionTests.examples.flatMap {
            DefinitionLoader([$0], above: DissectorLibrary.shipped).files.flatMap(\.attributes)
        }

    private static func fields(_ elements: [Element]) -> [FieldDefinition] {
        elements.flatMap { element in
            switch element {
            case .field(let field): [field] + fields(field.elements)
            case .choice(let branches): branches.flatMap { fields($0.elements) }
            }
        }
    }
}
