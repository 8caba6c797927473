import AttlasDissection
import AttlasTrace
import AttlasWire

/// What is sent on channels is read like values of a characteristic.
extension ValueInterpreter {
    /// Reads what the event that is being received has of a channel; nil if no definition reads it.
    @_lifetime(copy data)
    package mutating func read(
        _ data: borrowing SerialData, _ direction: Direction, _ connection: Int, in trace: borrowing Trace
    ) -> ValueReading? {
        guard let dissector = dissector(of: data.channel, connection, in: trace) else { return nil }
        let access = AttributeAccess(serialDataSent: direction)
        return read(data.octets, dissector, access, serialFinding, isPartial: !data.isWhole, at: nil, in: trace)
    }

    /// The name of a channel by its definition, else by its service.
    package func name(of channel: SerialData.Channel, _ connection: Int, in trace: borrowing Trace) -> String? {
        dissector(of: channel, connection, in: trace)?.name
            ?? service(of: channel, connection, in: trace)?.name(library)
    }
}

extension SerialServices.Service {
    /// Of its most specific class, or as the device calls it.
    package func name(_ library: DissectorLibrary) -> String? {
        classes.first.flatMap(library.serviceName) ?? (name.isEmpty ? classes.first?.abbreviated : name)
    }
}

extension AttributeAccess {
    /// What the recorded host sends on a channel is written.
    package init(serialDataSent direction: Direction) { self = direction == .tx ? .write : .notify }
}

extension SerialData.Channel: CustomStringConvertible {
    /// What its definition is found by.
    package var key: DefinitionKey {
        switch number {
        case .rfcomm(let number): .rfcommChannel(number)
        case .psm(let psm): .l2capChannel(psm: psm)
        }
    }

    /// `Serial Port (RFCOMM channel 10)`; without a name the channel alone.
    package func title(_ name: String?) -> String { name.map { "\($0) (\(self))" } ?? description }

    /// `RFCOMM channel 10`, `PSM 0x1001 of this host`
    package var description: String { server == .peer ? "\(key)" : "\(key) of this host" }
}
