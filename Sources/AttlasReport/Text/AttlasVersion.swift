/// The version that every output names.
public enum AttlasVersion {
    public static let text: StaticString = "0.1.0"
}
