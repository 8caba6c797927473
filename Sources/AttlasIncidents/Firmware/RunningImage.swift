/// An image that a device runs, as the Image State of MCUmgr's SMP says.
struct RunningImage: Sendable {
    /// An item of the list of images.
    struct Item {
        var number: Int64 = 0
        var version = ""
        var hash: [UInt8] = []
        var isActive = false
        var isConfirmed = false
        var isPending = false

        /// `image 1.2.0`
        var words: String { version.isEmpty ? "an image" : "image \(version)" }
    }

    let item: Item
    let frame: Int
    /// It was confirmed at some time, or another one was chosen.
    var isSettled: Bool
    /// Hashes of the images that did not run.
    let others: [[UInt8]]
}
