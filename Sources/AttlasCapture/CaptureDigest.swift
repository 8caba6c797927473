/// The SHA-256 of a file that a capture was read from: of the file as it lies there, compressed or an archive as it is.
public struct CaptureDigest: Sendable {
    /// As it was given.
    public let file: String
    /// 64 hexadecimal digits, as `sha256sum` writes them; nil for inputs that cannot be read a second time: standard input, a pipe, a file
    /// that is gone.
    public let sha256: String?

    package init(file: String, sha256: String?) {
        self.file = file
        self.sha256 = sha256
    }
}
