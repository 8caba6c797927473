import AttlasTrace
import AttlasWire

/// The content of a mesh PDU, as far as the given NetKeys decrypt it.
public enum MeshReading: Sendable {
    /// - Parameter networkID: of the network whose key opened it.
    case network(MeshNetworkPDU, networkID: UInt64)
    /// A Network PDU that was not decrypted.
    case sealed(nid: UInt8, Obstacle)
    /// The device waits for a provisioner.
    case unprovisionedDevice(uuid: [UInt8], oobInformation: UInt16, uriHash: UInt32?)
    case secureNetworkBeacon(MeshBeaconFlags, networkID: UInt64, ivIndex: UInt32, Authentication)
    /// The network and the beacon's contents; nil if no key decrypts it.
    case privateBeacon(Opened?)
    case unknownBeacon(type: UInt8)
    /// A PB-ADV PDU.
    case provisioning(linkID: UInt32, transaction: UInt8, GenericProvisioningPDU.Kind, payload: [UInt8])
    case incomplete(WireError)

    /// Content of a Private beacon that a NetKey opened.
    public struct Opened: Sendable {
        /// Network ID of the NetKey.
        public let networkID: UInt64
        /// Key Refresh and IV Update.
        public let flags: MeshBeaconFlags
        /// IV Index of the network.
        public let ivIndex: UInt32
    }

    /// Why a Network PDU was not decrypted.
    public enum Obstacle: String, Sendable {
        case noKey = "no NetKey with this NID was given"
        case wrongMIC = "NetMIC is wrong with the NetKey that was given: another key, or another IV Index"
        case unknownIVIndex = "the IV Index is not known: no beacon before, and none was given with the NetKey"
    }

    /// Whether a Secure Network beacon is one of the network that it names.
    public enum Authentication: String, Sendable {
        case valid
        /// The Authentication Value is wrong.
        case wrong
        case noKey = "no key"
    }
}

/// The mesh PDUs of an event, and the IV Index of each network.
struct MeshHistory {
    /// By the keys of the trace: as the last authenticated beacon had it, or as it was given.
    private var ivIndexes: [UInt32?] = []
    /// Readings of the advertisement that is being received.
    private(set) var readings: [MeshReading] = []

    /// The AD types of mesh. Assigned Numbers, 2.3.
    mutating func follow(_ data: AdvertisingData, _ keys: [MeshNetworkKey]) {
        readings = []
        var structures = data.structures
        while let structure = structures.next() {
            switch structure.type {
            case .pbADV: readings.append(Self.read(provisioning: structure.data))
            case .meshMessage: readings.append(read(network: structure.data, keys))
            case .meshBeacon: readings.append(read(beacon: structure.data, keys))
            default: break
            }
        }
    }

    /// A Proxy PDU, from its first octet on; nil if it carries nothing that keys open. Mesh Protocol 1.1, 6.3.
    mutating func read(proxy pdu: Bytes, _ keys: [MeshNetworkKey]) -> MeshReading? {
        guard !pdu.isEmpty else { return nil }
        return switch MeshProxyMessage(rawValue: pdu[0] & 0x3F) {
        case .networkPDU: read(network: pdu.dropFirst(1), keys)
        case .beacon: read(beacon: pdu.dropFirst(1), keys)
        case .proxyConfiguration: read(network: pdu.dropFirst(1), isProxyConfiguration: true, keys)
        default: nil
        }
    }

    private mutating func take(_ keys: [MeshNetworkKey]) {
        if ivIndexes.count != keys.count { ivIndexes = keys.map(\.ivIndex) }
    }

    private mutating func read(
        network pdu: Bytes, isProxyConfiguration: Bool = false, _ keys: [MeshNetworkKey]
    ) -> MeshReading {
        take(keys)
        guard !pdu.isEmpty else {
            return .incomplete(
                WireError(.advertising, "mesh Network PDU incomplete", need: 1, have: 0, limit: .valueLength))
        }
        let nid = pdu[0] & 0x7F
        let ivi = UInt32(pdu[0] >> 7)
        var obstacle = MeshReading.Obstacle.noKey
        for (index, key) in keys.enumerated() where key.nid == nid {
            // The least significant bit of the IV Index in use, which is the current one or the one before. A new network begins at 0,
            // and whether that is so the NetMIC shows. Mesh Protocol 1.1, 3.4.4.1 and 3.11.5.
            let known = ivIndexes[index]
            let current = known ?? ivi
            let ivIndex = current & 1 == ivi ? current : current &- 1
            if let opened = key.open(pdu, ivIndex: ivIndex, isProxyConfiguration: isProxyConfiguration) {
                return .network(opened, networkID: key.networkID)
            }
            if known != nil {
                obstacle = .wrongMIC
            } else if obstacle == .noKey {
                obstacle = .unknownIVIndex
            }
        }
        return .sealed(nid: nid, obstacle)
    }

    private mutating func read(beacon: Bytes, _ keys: [MeshNetworkKey]) -> MeshReading {
        take(keys)
        do throws(WireError) {
            switch try MeshBeacon(beacon) {
            case .unprovisionedDevice(let beacon):
                return .unprovisionedDevice(
                    uuid: beacon.deviceUUID.copy(), oobInformation: beacon.oobInformation, uriHash: beacon.uriHash)
            case .secureNetwork(let beacon):
                var authentication = MeshReading.Authentication.noKey
                for (index, key) in keys.enumerated() where key.networkID == beacon.networkID {
                    let isValid = key.authenticates(beacon)
                    authentication = isValid ? .valid : .wrong
                    if isValid { ivIndexes[index] = beacon.ivIndex }
                }
                return .secureNetworkBeacon(
                    beacon.flags, networkID: beacon.networkID, ivIndex: beacon.ivIndex, authentication)
            case .meshPrivate(let beacon):
                for (index, key) in keys.enumerated() {
                    guard let opened = key.open(beacon) else { continue }
                    ivIndexes[index] = opened.ivIndex
                    return .privateBeacon(
                        MeshReading.Opened(networkID: key.networkID, flags: opened.flags, ivIndex: opened.ivIndex))
                }
                return .privateBeacon(nil)
            case .unknown(let type): return .unknownBeacon(type: type)
            }
        } catch {
            return .incomplete(error)
        }
    }

    private static func read(provisioning octets: Bytes) -> MeshReading {
        do throws(WireError) {
            let pdu = try GenericProvisioningPDU(octets)
            return .provisioning(
                linkID: pdu.linkID, transaction: pdu.transactionNumber, pdu.kind, payload: pdu.payload.copy())
        } catch {
            return .incomplete(error)
        }
    }
}

/// Message Type of a Proxy PDU. Mesh Protocol 1.1, 6.3.1.
private enum MeshProxyMessage: UInt8 {
    case networkPDU, beacon, proxyConfiguration
}
