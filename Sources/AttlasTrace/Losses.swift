/// The number of losses. Their subjects are not visited at each loss: they compare this count with the one at their last check.
public struct Losses: Sendable {
    /// Losses so far, of all controllers.
    public private(set) var count = 0
    /// The records are of a text, in which their numbers are left out: the packets were captured.
    public internal(set) var areLeftOut = false
    private var ofEveryController = 0
    /// By their numbers, as far as it was needed.
    private var ofController: [Int] = []

    /// Those that may concern a controller.
    public func count(of controller: UInt16) -> Int {
        ofEveryController + (Int(controller) < ofController.count ? ofController[Int(controller)] : 0)
    }

    /// - Parameter controller: nil for all.
    mutating func note(_ controller: UInt16?) {
        count += 1
        guard let controller else {
            ofEveryController += 1
            return
        }
        while ofController.count <= controller { ofController.append(0) }
        ofController[Int(controller)] += 1
    }
}
