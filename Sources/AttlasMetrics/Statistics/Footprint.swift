/// The octets that a value takes on the heap, by its contents.
///
/// Not by an array's capacity: that depends on the allocator, and two runs over one capture would stop measuring at different values.
enum Footprint {
    /// Size of an array that grew to `count` elements, by doubling.
    static func array(_ count: Int, stride: Int) -> Int {
        guard count > 1 else { return count * stride }
        return stride << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }
}
