/// The version that every output names.
public enum AttlasVersion {
    public static let text: StaticString = "1.0.0"
}
