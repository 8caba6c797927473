/// A declaration that Read By Type finds. Core Specification, Vol 3, Part G, 4.5.1 and 4.6.1.
public enum GATTDeclaration: ~Escapable, Copyable {
    case include(IncludeDeclaration)
    case characteristic(CharacteristicDeclaration)

    /// nil when it is of another type, or too short.
    @_lifetime(copy value)
    public init?(_ value: Bytes, type: BluetoothUUID?) {
        switch type?.uint16 {
        case 0x2802:
            guard let declaration = IncludeDeclaration(value) else { return nil }
            self = .include(declaration)
        case 0x2803:
            guard let declaration = CharacteristicDeclaration(value) else { return nil }
            self = .characteristic(declaration)
        default: return nil
        }
    }
}
