/// A place between two records, with the reader's state there.
package struct CapturePosition {
    let format: any RecordSource
    package let offset: UInt64
}

/// A capture that can be read from any place on, any number of times. AttlasInput opens them.
public struct SeekableCapture {
    /// Before the first record.
    package let start: CapturePosition
    /// The capture's metadata at its start.
    public let info: CaptureInfo
    /// Whether the file will not grow: unfinished data at its end is reported.
    package let isOver: Bool
    /// The octets from an offset on.
    private let source: (_ offset: UInt64) throws(CaptureError) -> ByteSource
    private let readSize: () -> UInt64

    package init(
        _ start: CapturePosition, _ info: CaptureInfo, isOver: Bool = true, size: @escaping () -> UInt64,
        source: @escaping (_ offset: UInt64) throws(CaptureError) -> ByteSource
    ) {
        self.start = start
        self.info = info
        self.isOver = isOver
        self.source = source
        readSize = size
    }

    /// Octets that it has now: a file may grow.
    public var size: UInt64 { readSize() }

    package func reader(at position: CapturePosition) throws(CaptureError) -> CaptureReader {
        CaptureReader(try source(position.offset), from: position)
    }
}
