import AttlasWire

/// Octets that a device sends on a separate channel: RFCOMM, or a dynamic PSM or SPSM. They have no meaning to Bluetooth.
package struct SerialData: ~Escapable, Copyable {
    package struct Channel: Hashable, Sendable {
        package enum Number: Hashable, Sendable {
            /// A Server Channel.
            case rfcomm(UInt8)
            case psm(UInt16)
        }

        package let number: Number
        /// Whose service has it: both sides may have one with the same number.
        package let server: ServerSide

        package init(_ number: Number, of server: ServerSide) {
            self.number = number
            self.server = server
        }
    }

    package let channel: Channel
    package let octets: Bytes
    /// Whether the capture has all of them.
    package let isWhole: Bool

    @_lifetime(copy octets)
    fileprivate init(_ channel: Channel, _ octets: Bytes, isWhole: Bool) {
        self.channel = channel
        self.octets = octets
        self.isWhole = isWhole
    }
}

extension ChannelSDU {
    /// The least PSM that is dynamic on BR/EDR, and those on LE. Core Specification, Vol 3, Part A, 4.2 and 4.22.
    private static let dynamicPSM: UInt16 = 0x1001
    private static let dynamicSPSMs: ClosedRange<UInt16> = 0x80...0xFF

    /// The serial data in the SDU; nil if it has another protocol or no data.
    package var serialData: SerialData? {
        @_lifetime(copy self)
        get {
            if psm == ProtocolMultiplexer.rfcomm {
                guard let frame = RFCOMMFrame(bytes), frame.type == RFCOMMFrame.uih, frame.dlci != 0,
                    !frame.information.isEmpty
                else { return nil }
                // The capture may lack the check alone.
                return SerialData(
                    rfcommChannel(dlci: frame.dlci), frame.information, isWhole: missing == 0 || frame.missing == 0)
            }
            guard credits == nil ? psm >= Self.dynamicPSM : Self.dynamicSPSMs.contains(psm), !bytes.isEmpty else {
                return nil
            }
            return SerialData(
                SerialData.Channel(.psm(psm), of: isAskedByHost ? .peer : .local), bytes, isWhole: missing == 0)
        }
    }

    /// The side that requested the L2CAP channel began the session: the Direction Bit is 0 for services of the other. RFCOMM, 5.4.
    package func rfcommChannel(dlci: UInt8) -> SerialData.Channel {
        let isOfOther = dlci & 1 == 0
        return SerialData.Channel(.rfcomm(dlci >> 1), of: isOfOther == isAskedByHost ? .peer : .local)
    }
}
