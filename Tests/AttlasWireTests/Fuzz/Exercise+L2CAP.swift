@testable import AttlasWire

extension Exercise {
    mutating func signals(_ bytes: Bytes) {
        var signals = L2CAPSignals(bytes)
        var rounds = 0
        do throws(WireError) {
            while let signal = try signals.next() {
                use(signal.name)
                use(signal.identifier)
                use(signal.missing)
                use(signal.excess)
                if let parameters = try? L2CAPSignalParameters(signal) { use(parameters) }
                count(&rounds, within: bytes.count)
            }
        } catch {
            use(error.need)
        }
    }

    private mutating func use(_ parameters: L2CAPSignalParameters) {
        switch parameters {
        case .commandReject(let view):
            use(view.reasonName)
            use(view.reasonData)
        case .connectionRequest(let view):
            use(view.psm)
            use(view.sourceCID)
        case .connectionResponse(let view):
            use(view.destinationCID)
            use(view.sourceCID)
            use(view.resultName)
            use(view.status)
        case .configurationRequest(let view):
            use(view.destinationCID)
            use(view.flags)
            use(view.options, within: view.bytes.count)
        case .configurationResponse(let view):
            use(view.sourceCID)
            use(view.flags)
            use(view.resultName)
            use(view.options, within: view.bytes.count)
        case .disconnectionRequest(let view):
            use(view.destinationCID)
            use(view.sourceCID)
        case .disconnectionResponse(let view):
            use(view.destinationCID)
            use(view.sourceCID)
        case .echoRequest(let data), .echoResponse(let data), .other(let data): use(data)
        case .informationRequest(let view): use(view.infoType)
        case .informationResponse(let view):
            use(view.infoType)
            use(view.result)
            use(view.info)
        case .connectionParameterUpdateRequest(let view):
            use(view.intervalMin)
            use(view.intervalMax)
            use(view.latency)
            use(view.timeout)
        case .connectionParameterUpdateResponse(let view): use(view.resultName)
        case .leCreditBasedConnectionRequest(let view):
            use(view.spsm)
            use(view.sourceCID)
            use(view.mtu)
            use(view.mps)
            use(view.initialCredits)
        case .leCreditBasedConnectionResponse(let view):
            use(view.destinationCID)
            use(view.mtu)
            use(view.mps)
            use(view.initialCredits)
            use(view.result.name)
        case .flowControlCredit(let view):
            use(view.cid)
            use(view.credits)
        case .creditBasedConnectionRequest(let view):
            use(view.spsm)
            use(view.mtu)
            use(view.mps)
            use(view.initialCredits)
            use(view.sourceCIDs)
        case .creditBasedConnectionResponse(let view):
            use(view.mtu)
            use(view.mps)
            use(view.initialCredits)
            use(view.result.name)
            use(view.destinationCIDs)
        case .creditBasedReconfigureRequest(let view):
            use(view.mtu)
            use(view.mps)
            use(view.destinationCIDs)
        case .creditBasedReconfigureResponse(let view): use(view.resultName)
        }
    }

    private mutating func use(_ list: L2CAPChannelList) {
        for index in 0..<list.count { use(list[index]) }
        use(list.remainder)
    }

    private mutating func use(_ options: L2CAPConfigurationOptions, within limit: Int) {
        var options = options
        var rounds = 0
        while let value = options.next() {
            use(options.type)
            use(value)
            use(options.missing)
            count(&rounds, within: limit)
        }
        use(options.remainder)
    }
}
