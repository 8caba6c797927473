/// The PSMs and SPSMs that attlas compares. Assigned Numbers, 2.5.
package enum ProtocolMultiplexer {
    package static let sdp: UInt16 = 0x0001
    package static let rfcomm: UInt16 = 0x0003
    package static let avdtp: UInt16 = 0x0019
    package static let att: UInt16 = 0x001F
    package static let objectTransfer: UInt16 = 0x0025
    package static let eatt: UInt16 = 0x0027
}
