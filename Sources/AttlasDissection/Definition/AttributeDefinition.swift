import AttlasWire

/// Where something stands in a definition file. Lines and columns count from 1; a column is a Unicode scalar.
public struct SourcePosition: Hashable, Sendable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// For what no person wrote: a definition that comes out of the binary.
    static let none = SourcePosition(line: 0, column: 0)
}

/// An expression or a template as it was written, parsed when its definition is compiled: only then are the names it may
/// use known.
public struct SourceText: Hashable, Sendable {
    public var text: String
    public var position: SourcePosition
}

/// A service's UUID and name.
public struct ServiceDefinition: Sendable {
    public var uuid: BluetoothUUID
    public var name: String
    public var position: SourcePosition
}

/// A characteristic, a descriptor or a declaration: its UUID, its name and how its value is laid out.
public struct AttributeDefinition: Sendable {
    public enum Kind: UInt8, Sendable {
        case characteristic, descriptor, declaration
    }

    public var kind: Kind
    public var uuid: BluetoothUUID
    public var name: String
    /// Empty when only the name is known.
    public var layouts: [Layout]
    public var examples: [Example]
    public var position: SourcePosition
}

/// The elements of a value, for some ATT operations or for all of them.
public struct Layout: Sendable {
    public var operations: [AttributeAccess]
    public var elements: [Element]
    public var summary: SourceText?
}

/// One step of a layout.
public indirect enum Element: Sendable {
    case field(FieldDefinition)
    /// The first branch whose condition holds; none when there is no such branch.
    case choice([Branch])
}

public struct Branch: Sendable {
    /// nil: otherwise.
    public var condition: SourceText?
    public var elements: [Element]
}

/// A value with what must come out of it.
public struct Example: Sendable {
    public var octets: [UInt8]
    public var operation: AttributeAccess
    /// Field name → what it shows: a number, a label, the names of set flags, a list of those for a repeated field.
    public var shows: [Named]
    /// The summary line, when the example says.
    public var text: String?
    public var isFault: Bool
    public var unexplained: Int
    public var hasReservedBits: Bool
    public var position: SourcePosition

    public indirect enum Expectation: Sendable, Equatable {
        case text(String)
        case list([Expectation])
        case fields([Named])
    }

    public struct Named: Sendable, Equatable {
        public var name: String
        public var expectation: Expectation
        public var position: SourcePosition
    }
}
