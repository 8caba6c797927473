import AttlasWire

/// Sections, and the interfaces that they describe.
extension PCAPNG {
    /// A file with more than this is treated as broken.
    static let interfaceLimit = 4096
    /// Comments of all sections that are kept.
    static let commentLimit = 64
    /// Maximum number of recorder names.
    static let recorderLimit = 12
    /// Maximum length of each comment.
    static let commentOctetLimit = 16 << 10

    struct Interface {
        var about: CaptureInterface
        /// nil when its packets cannot be read.
        var framing: PacketFraming?
        /// 0 means no limit.
        var snapLength: UInt32
        var resolution = TickResolution.microseconds
        var clock = RadioClock()
        /// Seconds to add to every time.
        var timeOffset: Int64 = 0
        /// Packets known to be lost since the capture began; and those of them that no record has reported yet.
        var lost: UInt64 = 0
        var untoldLost: UInt64 = 0
        /// Whether a record reported that its packets cannot be read.
        var isRefused = false
    }

    var info: CaptureInfo {
        var info = CaptureInfo(file: name, format: "pcapng", linkTypes: [])
        (info.timeless, info.lacksTimes) = (timeless, timeless > 0 && !hasTimes)
        for interface in interfaces where !info.linkTypes.contains(interface.about.linkType) {
            info.linkTypes.append(interface.about.linkType)
        }
        info.interfaces = interfaces.map(\.about)
        info.recorder = recorder
        info.recorderOptions = recorderOptions
        info.comments = sectionComments
        for case let use? in interfaces.map(\.clock.use) { info.add(use) }
        info.skipped = skipped
        info.lostAtEnd = interfaces.reduce(0) { $0.addingSaturating($1.untoldLost) }
        return info
    }

    /// Section Header Block: byte-order magic 32, major 16, minor 16, section length 64, options. Section 4.1.
    func beginSection(_ input: borrowing InputBuffer, _ length: Int) -> RecordHeader? {
        firstInterface = interfaces.count
        let major = input.bytes.uint16(at: 12, order)
        isSectionReadable = major == 1
        guard !isSectionReadable else {
            forEachPCAPNGOption(in: input.bytes.slice(24..<length - 4), order) { code, value in
                switch code {
                case 1 where sectionComments.count < Self.commentLimit:
                    sectionComments.append(text(value, limit: Self.commentOctetLimit))
                // shb_hardware, shb_os, shb_userappl: a file that was put together has several.
                case 2...4 where !value.isEmpty && recorder.count < Self.recorderLimit:
                    let name = text(value)
                    if !recorder.contains(name) {
                        recorder.append(name)
                        recorderOptions.append(code)
                    }
                default: break
                }
            }
            return nil
        }
        let minor = input.bytes.uint16(at: 14, order)
        return broken(input, .sectionVersion(major, minor))
    }

    /// Interface Description Block: link type 16, reserved 16, snapshot length 32, options. Section 4.2.
    func describeInterface(_ input: borrowing InputBuffer, _ length: Int) -> RecordHeader? {
        guard interfaces.count < Self.interfaceLimit else {
            return broken(input, .tooManyInterfaces(UInt32(Self.interfaceLimit)))
        }
        let bytes = input.bytes
        let linkType = LinkType(rawValue: UInt32(bytes.uint16(at: 8, order)))
        // btsnoop's own numbers mean nothing here.
        let framing = linkType.rawValue < 1000 ? linkType.framing : nil
        var interface = Interface(
            about: CaptureInterface(number: interfaces.count, linkType: linkType), framing: framing,
            snapLength: bytes.uint32(at: 12, order))
        forEachPCAPNGOption(in: bytes.slice(16..<length - 4), order) { code, value in
            switch code {
            case 1 where interface.about.comments.count < 8: interface.about.comments.append(text(value))
            case 2: interface.about.name = text(value)
            case 3: interface.about.description = text(value)
            case 9 where !value.isEmpty: interface.resolution = TickResolution(rawValue: value[0])
            case 14 where value.count == 8: interface.timeOffset = Int64(bitPattern: value.uint64(at: 0, order))
            default: break
            }
        }
        interface.about.precision = interface.resolution.decimalPlaces
        interfaces.append(interface)
        return nil
    }

    /// Interface Statistics Block: interface 32, time 64, options, of which isb_ifdrop and isb_osdrop count packets lost since the capture
    /// began. Section 4.6.
    func readStatistics(_ input: borrowing InputBuffer, _ length: Int) {
        let bytes = input.bytes
        guard let index = index(ofInterface: bytes.uint32(at: 8, order)) else { return }
        var total: UInt64 = 0
        forEachPCAPNGOption(in: bytes.slice(20..<length - 4), order) { code, value in
            guard code == 5 || code == 7, value.count == 8 else { return }
            total = total.addingSaturating(value.uint64(at: 0, order))
        }
        guard total > interfaces[index].lost else { return }
        interfaces[index].untoldLost = interfaces[index].untoldLost.addingSaturating(total - interfaces[index].lost)
        interfaces[index].lost = total
    }

    /// Where in `interfaces` the section's interface of that number is.
    func index(ofInterface number: UInt32) -> Int? {
        let index = firstInterface + Int(number)
        return interfaces.indices.contains(index) ? index : nil
    }

    /// At the end of the file: when there was no interface that can be read, the file is refused.
    func refuseWithoutReadableInterface() throws(CaptureError) {
        guard !interfaces.isEmpty, interfaces.allSatisfy({ $0.framing == nil }) else { return }
        let types = info.linkTypes.map(\.numberAndName).joined(separator: ", ")
        throw CaptureError(
            .unsupported, file: name, "pcapng with link type \(types): not supported yet", advice: PCAP.advice)
    }

    /// Names beyond 256 octets, and longer comments, are cut.
    private func text(_ value: borrowing Bytes, limit: Int = 256) -> String {
        String(decoding: value.prefix(limit).copy(), as: UTF8.self)
    }
}

extension UInt64 {
    package func addingSaturating(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
