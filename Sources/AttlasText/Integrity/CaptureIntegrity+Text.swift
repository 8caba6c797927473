import AttlasCapture
import AttlasTrace
import AttlasWire

extension CaptureIntegrity {
    /// Nearly all packets have a wrong CRC: a clause without a full stop, and advice.
    package var damage: (what: String, advice: String?)? {
        damaged.map { damaged in
            (
                damaged.checked == 1
                    ? "The only packet has a wrong CRC: nothing that it holds can be trusted"
                    : "\(damaged.wrong) of \(damaged.checked) packets have a wrong CRC: nothing that they hold can be trusted",
                """
                Usual causes: the sniffer was on another channel or PHY, followed a connection with the wrong CRCInit, was too far away, \
                or its firmware or the program that wrote the file changes the octets.
                """
            )
        }
    }

    /// Missing data, `damage` first.
    package var sentences: [(what: String, advice: String?)] { [damage].compactMap(\.self) + otherSentences }

    /// … without `damage`.
    package var otherSentences: [(what: String, advice: String?)] {
        var sentences: [(what: String, advice: String?)] = []
        func add(_ number: UInt64, _ one: String, _ many: String) {
            if number > 0 { sentences.append(("\(number) \(number == 1 ? one : many)", nil)) }
        }
        if let error { sentences.append(("the capture could not be read to its end: \(error.reason)", error.advice)) }
        for pause in info?.pauses ?? [] {
            let length = TextBuffer("\(duration: pause.nanoseconds)").text
            sentences.append(
                ("\(length) without a record before frame \(pause.frame), where \(pause.file) begins", nil))
        }
        if let onlySide { sentences.append((onlySide.onlySideSentence, nil)) }
        if info?.isText == true {
            add(lost, "packet not in the text, by its numbers", "packets not in the text, by its numbers")
        } else {
            add(lost, "record lost before the capture got it", "records lost before the capture got them")
        }
        add(
            UInt64(missed), "packet, at least, missed by the sniffer", "packets, at least, missed by the sniffer")
        add(
            UInt64(extent.unreadable), "record of the file could not be read", "records of the file could not be read")
        add(
            skipped, "packet of a link type that attlas does not read",
            "packets of a link type that attlas does not read")
        // A truncation with a pattern gives their number.
        if !cuts.contains(where: { ![.dataOnly, .noTimes, .noPackets, .ownStatuses, .cutHandles].contains($0.kind) }) {
            add(
                UInt64(extent.cut), "packet cut by the capture: record with a longer snapshot length",
                "packets cut by the capture: record with a longer snapshot length")
        }
        for cut in cuts { sentences.append((cut.sentence, cut.advice)) }
        for (limit, number) in limits {
            var text = TextBuffer()
            text.append(limit, number)
            sentences.append((text.text, nil))
        }
        return sentences
    }
}

extension Direction {
    /// The sentence about the only side that a log holds.
    package var onlySideSentence: String {
        self == .tx
            ? "This log holds only what this host sent. A filter left out what it received: no round trips, no values that it read"
            : "This log holds only what this host received. A filter left out what it sent: no round trips, no requests"
    }
}

extension RadioClockUse {
    /// Which clock gave the times, and how well it is known.
    package var sentence: String {
        let times = settings == 1 ? "once" : "\(settings) times"
        return TextBuffer(
            """
            times: the radio's clock of the \(own: sniffer), to 1 µs, set \(own: times) by the file's clock, which varies by \
            \(duration: spread) against it (--clock file)
            """
        ).text
    }
}

extension LineWriter {
    /// Writes that nearly all packets have a wrong CRC, before everything else; nothing otherwise.
    package mutating func putDamage(_ integrity: CaptureIntegrity, of name: StaticString? = nil) {
        guard let damage = integrity.damage else { return }
        put(damage, of: name)
        endLine()
    }

    /// Writes the other missing data of a capture, a line each, and the clock that gave its times; nothing if it is complete and the
    /// file's did.
    package mutating func put(_ integrity: CaptureIntegrity, of name: StaticString? = nil) {
        for sentence in integrity.otherSentences { put(sentence, of: name) }
        if let clock = integrity.info?.radioClock {
            putFolded("\(name.map { "\($0): " } ?? "")\(clock.sentence)", .faint)
        }
    }

    private mutating func put(_ sentence: (what: String, advice: String?), of name: StaticString?) {
        putFolded("✗ \(name.map { "\($0): " } ?? "")\(sentence.what)", .bad)
        if let advice = sentence.advice { putFolded(advice) }
    }

    /// … below the result of a document.
    package mutating func putPart(_ integrity: CaptureIntegrity, of name: StaticString? = nil) {
        guard !integrity.otherSentences.isEmpty || integrity.info?.radioClock != nil else { return }
        endLine()
        put(integrity, of: name)
    }
}
