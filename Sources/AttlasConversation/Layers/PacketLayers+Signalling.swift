import AttlasDissection
import AttlasText
import AttlasTrace
import AttlasWire

/// Places of the parameters of signalling PDUs. Core Specification, Vol 3, Part A, 4.
extension PacketLayers {
    /// A name, a length, and its name in `L2CAPSignal.fields` if people read more than a number.
    private typealias Parameter = (name: String, length: Int, key: String?)

    private static func parameters(_ code: L2CAPSignalCode) -> [Parameter] {
        let source: Parameter = ("Source CID", 2, nil)
        let destination: Parameter = ("Destination CID", 2, nil)
        let result: Parameter = ("Result", 2, "result")
        let sizes: [Parameter] = [("MTU", 2, "mtu"), ("MPS", 2, "mps")]
        let credits: Parameter = ("Initial Credits", 2, "initial_credits")
        switch code {
        case .commandReject: return [("Reason", 2, "reason")]
        case .connectionRequest: return [("PSM", 2, "psm"), source]
        case .connectionResponse: return [destination, source, result, ("Status", 2, nil)]
        case .configurationRequest: return [destination, ("Flags", 2, nil)]
        case .configurationResponse: return [source, ("Flags", 2, nil), result]
        case .disconnectionRequest, .disconnectionResponse: return [destination, source]
        case .informationRequest: return [("Info Type", 2, nil)]
        case .informationResponse: return [("Info Type", 2, nil), result]
        case .moveChannelRequest: return [("ICID", 2, nil), ("Destination Controller ID", 1, nil)]
        case .moveChannelResponse, .moveChannelConfirmationRequest: return [("ICID", 2, nil), result]
        case .moveChannelConfirmationResponse: return [("ICID", 2, nil)]
        case .connectionParameterUpdateRequest:
            return [
                ("Interval Min", 2, "interval_min_us"), ("Interval Max", 2, "interval_max_us"),
                ("Latency", 2, "latency"), ("Timeout", 2, "timeout_us"),
            ]
        case .connectionParameterUpdateResponse, .creditBasedReconfigureResponse: return [result]
        case .leCreditBasedConnectionRequest: return [("SPSM", 2, "spsm"), source] + sizes + [credits]
        case .leCreditBasedConnectionResponse: return [destination] + sizes + [credits, result]
        case .flowControlCreditIndication: return [("CID", 2, nil), ("Credits", 2, "credits")]
        case .creditBasedConnectionRequest: return [("SPSM", 2, "spsm")] + sizes + [credits]
        case .creditBasedConnectionResponse: return sizes + [credits, result]
        case .creditBasedReconfigureRequest: return sizes
        default: return []
        }
    }

    mutating func add(_ signal: L2CAPSignal, _ base: Int, _ source: Source, _ library: DissectorLibrary) {
        let octets = signal.bytes
        let end = L2CAPSignal.headerLength + signal.length
        add(0, "L2CAP Signalling", base..<base + end, in: source) {
            $0.append(string: signal.code.name ?? "Unknown")
        }
        let code = signal.code
        add(1, "Code", base..<base + 1, in: source) { $0.append(code: UInt16(code.rawValue), digits: 2) }
        add(1, "Identifier", base + 1..<base + 2, in: source) { $0.append(decimal: Int(octets[1])) }
        add(1, "Data Length", base + 2..<base + 4, in: source) { $0.append(decimal: signal.length) }
        let read = signal.fields(library)
        var place = L2CAPSignal.headerLength
        for parameter in Self.parameters(code) where place + parameter.length <= min(end, octets.count) {
            add(1, parameter.name, base + place..<base + place + parameter.length, in: source) { text in
                if let field = read.first(where: { "\($0.name)" == parameter.key }) {
                    text.append(valueOf: field)
                } else if parameter.length == 2 {
                    text.append(code: octets.uint16(at: place), digits: 4)
                } else {
                    text.append(decimal: Int(octets[place]))
                }
            }
            place += parameter.length
        }
        addRest(of: code, octets, place..<min(end, octets.count), base, source)
    }

    /// Adds lists, and parameters that depend on those before.
    private mutating func addRest(
        of code: L2CAPSignalCode, _ octets: Bytes, _ rest: Range<Int>, _ base: Int, _ source: Source
    ) {
        var place = rest.lowerBound
        switch code {
        case .configurationRequest, .configurationResponse:
            while place + 2 <= rest.upperBound {
                let end = min(place + 2 + Int(octets[place + 1]), rest.upperBound)
                let value = octets.slice(place + 2..<end)
                add(1, "Option", base + place..<base + end, in: source) {
                    let type = octets[place] & 0x7F
                    if (1...Self.options.count).contains(Int(type)) { $0.append(string: Self.options[Int(type) - 1]) }
                }
                add(2, "Type", base + place..<base + place + 1, in: source) {
                    $0.append(code: UInt16(octets[place]), digits: 2)
                }
                add(2, "Length", base + place + 1..<base + place + 2, in: source) {
                    $0.append(decimal: Int(octets[place + 1]))
                }
                add(2, "Value", base + place + 2..<base + end, in: source) {
                    if value.count == 2 {
                        $0.append(decimal: Int(value.uint16(at: 0)))
                    } else {
                        $0.append(octets: value, limit: 20)
                    }
                }
                place = end
            }
        case .commandReject where rest.count == 4 && octets.uint16(at: place - 2) == L2CAPCommandReject.invalidCID:
            // Invalid CID in request: as its sender sees it.
            for name in ["Local CID", "Remote CID"] {
                add(1, name, base + place..<base + place + 2, in: source) {
                    $0.append(code: octets.uint16(at: place), digits: 4)
                }
                place += 2
            }
        case .creditBasedConnectionRequest, .creditBasedConnectionResponse, .creditBasedReconfigureRequest:
            while place + 2 <= rest.upperBound {
                add(
                    1, code == .creditBasedConnectionRequest ? "Source CID" : "Destination CID",
                    base + place..<base + place + 2, in: source
                ) {
                    $0.append(code: octets.uint16(at: place), digits: 4)
                }
                place += 2
            }
        default: break
        }
        guard place < rest.upperBound else { return }
        add(1, code == .informationResponse ? "Info" : "Data", base + place..<base + rest.upperBound, in: source) {
            $0.append(octets: octets.slice(place..<rest.upperBound), limit: 20)
        }
    }

    /// Vol 3, Part A, 5, by their types from 1 on.
    private static let options = [
        "MTU", "flush timeout", "QoS", "retransmission and flow control", "FCS", "extended flow specification",
        "extended window size",
    ]
}
