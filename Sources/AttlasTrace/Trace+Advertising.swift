import AttlasWire

extension Trace {
    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: LEAdvertisingReportEvent, _ moment: Moment, into sink: inout Sink
    ) {
        var reports = event.reports
        while let report = reports.next() {
            let advertising = AdvertisingReport(
                address: report.address, rssi: report.rssi, isScanResponse: report.eventType == 0x04,
                isConnectable: report.eventType == 0x00 || report.eventType == 0x01, isExtended: false,
                data: AdvertisingData(report.data))
            advertise(advertising, moment, into: &sink)
        }
    }

    mutating func advertise<Sink: EventSink & ~Copyable>(
        _ event: LEExtendedAdvertisingReportEvent, _ moment: Moment, into sink: inout Sink
    ) {
        var reports = event.reports
        while let report = reports.next() {
            // 127 stands for "not available". Core Specification, Vol 4, Part E, 7.7.65.13.
            let advertising = AdvertisingReport(
                address: report.address, rssi: report.rssi == 127 ? nil : report.rssi,
                isScanResponse: report.isScanResponse, isConnectable: report.isConnectable, isExtended: true,
                data: AdvertisingData(report.data))
            advertise(advertising, moment, into: &sink)
        }
    }

    private mutating func advertise<Sink: EventSink & ~Copyable>(
        _ report: AdvertisingReport, _ moment: Moment, into sink: inout Sink
    ) {
        if let address = report.address, let name = report.data.localName?.text, !name.isEmpty {
            peerTable.name(address, name)
        }
        emit(moment, nil, .advertising(report), into: &sink)
    }
}
