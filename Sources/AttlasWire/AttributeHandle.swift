/// The number by which one side of a link names an attribute of the other: 0x0001–0xFFFF. Vol 3, Part F, 3.2.2.
public typealias AttributeHandle = UInt16
