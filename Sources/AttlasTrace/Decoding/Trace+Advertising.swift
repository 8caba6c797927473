import AttlasWire

extension Trace {
    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: LEAdvertisingReportEvent, _ context: PDUContext, into sink: inout Sink
    ) throws(WireError) {
        var reports = event.reports
        while let report = reports.next() {
            let advertising = AdvertisingReport(
                address: report.address, identity: identities.identity(of: report.address),
                rssi: Self.known(report.rssi),
                isScanResponse: report.isScanResponse,
                isConnectable: report.isConnectable, isExtended: false,
                data: AdvertisingData(report.data))
            advertise(advertising, context, into: &sink)
        }
        if reports.missing > 0 { throw Self.reportsMissing(event.numReports, missing: reports.missing) }
    }

    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: LEExtendedAdvertisingReportEvent, _ context: PDUContext, into sink: inout Sink
    ) throws(WireError) {
        var reports = event.reports
        let losses = losses.count(of: context.controller)
        while let report = reports.next() {
            let key = AdvertisingParts.Key(report, context.controller)
            guard !report.isIncomplete else {
                advertisingParts.add(report, key, frame: context.frame, losses: losses)
                continue
            }
            let isTruncated = report.isTruncated
            if var whole = advertisingParts.take(key) {
                whole.add(report, frame: context.frame, losses: losses)
                advertise(
                    report, AdvertisingData(Bytes(whole.data.span)), isTruncated: isTruncated || whole.isTruncated,
                    frames: whole.frames, context, into: &sink)
            } else {
                advertise(
                    report, AdvertisingData(report.data), isTruncated: isTruncated, frames: [], context, into: &sink)
            }
        }
        if reports.missing > 0 { throw Self.reportsMissing(event.numReports, missing: reports.missing) }
    }

    private mutating func advertise<Sink: EventSink & ~Copyable>(
        _ report: LEExtendedAdvertisingReport, _ data: AdvertisingData, isTruncated: Bool, frames: [Int],
        _ context: PDUContext, into sink: inout Sink
    ) {
        let advertising = AdvertisingReport(
            address: report.address, identity: report.address.flatMap { identities.identity(of: $0) },
            rssi: Self.known(report.rssi),
            isScanResponse: report.isScanResponse, isConnectable: report.isConnectable, isExtended: true,
            hasLegacyPDU: report.isLegacy,
            sid: report.advertisingSID == .max ? nil : report.advertisingSID,
            periodicInterval: report.periodicAdvertisingInterval == 0 ? nil : report.periodicAdvertisingInterval,
            data: data, isTruncated: isTruncated)
        advertise(advertising, frames: frames, context, into: &sink)
    }

    /// Devices of BR/EDR that answered an inquiry.
    mutating func discover<Sink: EventSink & ~Copyable>(
        _ event: InquiryResultEvent, _ context: PDUContext, into sink: inout Sink
    ) {
        for index in 0..<event.count {
            let response = AdvertisingReport(
                address: event.address(index), identity: nil, rssi: Self.known(event.rssi(index)),
                isScanResponse: false,
                isConnectable: true, isExtended: false, isInquiryResponse: true, data: event.data)
            advertise(response, context, into: &sink)
        }
    }

    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ report: AdvertisingReport, frames: [Int] = [], _ context: PDUContext, into sink: inout Sink
    ) {
        if let address = report.identity ?? report.address {
            var structures = report.data.structures
            while let structure = structures.next() {
                switch structure.type {
                case .completeLocalName where structure.missing == 0:
                    peerTable.name(address, structure.data, isShortened: false)
                case .shortenedLocalName where structure.missing == 0:
                    peerTable.name(address, structure.data, isShortened: true)
                default: break
                }
            }
        }
        hasDiscovery = true
        emit(context, nil, frames: frames, .advertising(report), into: &sink)
    }

    /// 127 means "not available". Core Specification, Vol 4, Part E, 7.7.65.2 and 7.7.65.13.
    private static func known(_ rssi: Int8?) -> Int8? { rssi == 127 ? nil : rssi }

    private static func reportsMissing(_ count: Int, missing: Int) -> WireError {
        WireError(
            .hci, "fewer advertising reports than announced", need: count, have: count - missing, limit: .hciLength)
    }
}
