import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasWire

/// The conversation as a table, and as a sequence of messages between the two devices.
extension ReportPage {
    mutating func writeConversation(_ model: ReportModel) {
        beginPart("conversation")
        if model.operationCount > model.operations.count {
            putNote(
                "The first \(PageRows.limit) of \(model.operationCount) operations, and those around what went wrong later. "
                    + "attlas show has all.")
        }
        if model.lacksLayers, options.showsValues {
            putNote("The first rows open layers and octets, later ones octets only. attlas open shows all layers.")
        }
        if model.notesLeftOut > 0 { putNote("\(model.notesLeftOut) more faults and losses are not on this page.") }
        guard !entries.isEmpty else {
            html.markup("<p>Nothing passed between two devices in this part of the capture.</p>\n")
            return endPart()
        }
        html.markup(
            """
            <form class="search" hidden><label>Search <input type="search" name="search"></label> <output></output></form>

            """)
        let peers = model.peerTitles
        let hasSeveral = Set(peers.values).count > 1
        beginScrolling("List of the conversation", isTall: true)
        html.headings(
            "ATT operations, pairing and changes of the link",
            [.number("Frame"), .number("Time")] + (hasSeveral ? [.text("Peer")] : [])
                + [.text("Direction"), .text("Operation"), .text("Attribute"), .text("What"), .number("Round trip")])
        var known: Set<Int> = []
        var last = 0
        for entry in entries {
            if case .operation(let operation) = entry.content, let number = operation.number {
                if number > last + 1 {
                    html.markup("<tr class=\"left-out\"><td colspan=\"8\">")
                    html.put("\(number - last - 1) operations left out")
                    html.markup("</td></tr>\n")
                }
                last = number
            }
            write(entry, isFirst: known.insert(entry.frame).inserted, hasSeveral ? peers : nil)
        }
        if model.operationCount > last, last > 0 {
            html.markup("<tr class=\"left-out\"><td colspan=\"8\">")
            html.put("\(model.operationCount - last) operations left out")
            html.markup("</td></tr>\n")
        }
        html.markup("</tbody></table>")
        endScrolling()
        endPart()
    }

    private mutating func write(_ entry: PageEntry, isFirst: Bool, _ peers: [Int: String]?) {
        html.markup("<tr")
        if isFirst { html.attribute("id", "c\(capture)-f\(entry.frame)") }
        putTime(entry.offset)
        switch entry.content {
        case .operation(let operation) where operation.isTrouble: html.markup(" class=\"bad\"")
        case .event(_, let isBad): html.markup(isBad ? " class=\"event bad\"" : " class=\"event\"")
        case .operation: break
        }
        html.markup("><td>")
        html.put(entry.frame)
        html.markup("</td><td>")
        html.put { $0.append(secondsOf: entry.offset) }
        html.markup("</td>")
        if let peers {
            html.markup("<td><bdi>")
            html.put(entry.connection.flatMap { peers[$0] } ?? "")
            html.markup("</bdi></td>")
        }
        switch entry.content {
        case .event(let text, _):
            html.markup("<td colspan=\"5\">")
            html.put(text)
            html.markup("</td>")
        case .operation(let operation):
            html.element("td") { $0.put(operation.direction.title) }
            html.element("td", operation.method)
            html.element("td", operation.attribute)
            html.markup("<td class=\"w\">")
            putInside(operation)
            html.markup("</td><td>")
            html.put { piece in
                if let roundTrip = operation.roundTrip { piece.append(duration: roundTrip) }
            }
            html.markup("</td>")
        }
        html.markup("</tr>\n")
    }

    /// … which opens the layers and octets.
    private mutating func putInside(_ operation: PageRows.Operation) {
        guard options.showsValues, !operation.inside.isEmpty else { return putWhat(operation) }
        html.markup("<details><summary>")
        if operation.error == nil, operation.text.isEmpty { html.markup("octets") }
        putWhat(operation)
        html.markup("</summary><pre>")
        for line in operation.inside.split(separator: "\n") {
            html.put(String(line))
            html.markup("\n")
        }
        html.markup("</pre></details>")
    }

    /// An error, or the value's text.
    private mutating func putWhat(_ operation: PageRows.Operation) {
        if let error = operation.error {
            html.markup(operation.isTrouble ? "<span class=\"bad\">✗ " : "<span>")
            html.put(error)
            html.markup("</span>")
        } else if options.showsValues {
            html.put(operation.text)
        }
    }

    // MARK: Sequence

    /// Steps that are shown at once: the first ones, or with the script those of the chosen range.
    private static let stepLimit = 400

    /// A message with its answer, or several of the same kind in a row: places in `entries`.
    private struct Step {
        let first: Int
        var last: Int
        /// The message that is shown: of several, the last.
        var shown: Int
        var answer: Int?
        var count = 1

        init(_ place: Int) { (first, last, shown) = (place, place, place) }
    }

    private func operation(_ place: Int?) -> PageRows.Operation? {
        if let place, case .operation(let operation) = entries[place].content { operation } else { nil }
    }

    /// Whether the next one is the same again, apart from its value.
    private func repeats(_ step: Step, _ next: Step) -> Bool {
        // The PDUs of a pairing are shown one by one.
        guard let operation = operation(step.shown), let another = self.operation(next.shown), operation.number != nil
        else {
            return false
        }
        let (answer, nextAnswer) = (self.operation(step.answer), self.operation(next.answer))
        return operation.connection == another.connection && operation.method == another.method
            && operation.direction == another.direction && operation.attribute == another.attribute
            && answer?.method == nextAnswer?.method && answer?.error == nextAnswer?.error && answer?.roundTrip == nil
            && nextAnswer?.roundTrip == nil && !operation.isTrouble && !another.isTrouble
    }

    private func steps() -> [Step] {
        var steps: [Step] = []
        var open: [Int: Int] = [:]
        for (place, entry) in entries.enumerated() {
            guard case .operation(let operation) = entry.content else {
                steps.append(Step(place))
                continue
            }
            if let request = operation.requestFrame, let step = open[request], steps[step].answer == nil,
                entries[steps[step].first].connection == entry.connection
            {
                steps[step].answer = place
                steps[step].last = place
                open[request] = nil
                continue
            }
            open[operation.frame] = steps.count
            steps.append(Step(place))
        }
        var collapsed: [Step] = []
        for step in steps {
            if let last = collapsed.last, repeats(last, step) {
                collapsed[collapsed.count - 1].count += 1
                collapsed[collapsed.count - 1].last = step.last
                collapsed[collapsed.count - 1].shown = step.shown
            } else {
                collapsed.append(step)
            }
        }
        return collapsed
    }

    mutating func writeSequence(_ model: ReportModel) {
        beginPart("sequence")
        guard !entries.isEmpty else {
            html.markup("<p>Nothing passed between two devices in this part of the capture.</p>\n")
            return endPart()
        }
        let steps = steps()
        let peers = model.peerTitles
        let isHeard = model.connections.contains { $0.accessAddress != nil }
        if steps.count > Self.stepLimit {
            html.markup("<p class=\"note\"")
            html.attribute("data-limit", "\(Self.stepLimit)")
            html.markup(">")
            html.put("The first \(Self.stepLimit) of \(steps.count) steps.")
            html.markup("</p>\n")
        }
        html.markup("<div class=\"scroll tall\" role=\"region\" tabindex=\"0\" aria-label=\"Message sequence\">")
        html.markup("<p class=\"lifelines\"><span>")
        html.put(isHeard ? "Central" : "This host")
        html.markup("</span><span><bdi>")
        let names = Set(peers.values)
        html.put(names.count == 1 ? names.first ?? "" : isHeard ? "Peripheral" : "Peers")
        html.markup("</bdi></span></p><ol class=\"sequence\">")
        for (number, step) in steps.enumerated() {
            write(
                step, isHidden: number >= Self.stepLimit,
                peer: names.count > 1 ? entries[step.first].connection.flatMap { peers[$0] } : nil)
        }
        html.markup("</ol>")
        endScrolling()
        endPart()
    }

    private mutating func write(_ step: Step, isHidden: Bool, peer: String?) {
        let (first, last) = (entries[step.first], entries[step.last])
        let answer = operation(step.answer)
        html.markup(answer == nil ? "<li" : "<li class=\"pair\"")
        if isHidden { html.markup(" hidden") }
        putTime(first.offset)
        html.markup("><span>")
        html.put { $0.append(secondsOf: first.offset) }
        html.markup(" s <br>frame ")
        putFrame(first.frame)
        if last.frame != first.frame {
            html.markup(step.count > 1 ? " … " : ", ")
            putFrame(last.frame)
        }
        html.markup("</span><div>")
        if case .event(let text, let isBad) = first.content {
            html.markup(isBad ? "<p class=\"event bad\">" : "<p class=\"event\">")
            putPeer(peer)
            html.put(text)
            html.markup("</p>")
        }
        if let operation = operation(step.shown) {
            write(message: operation, count: step.count, peer)
            if let answer { write(message: answer, count: 1, nil) }
        }
        if let roundTrip = answer?.roundTrip {
            html.element("span", "rtt") { $0.put { $0.append(duration: roundTrip) } }
        }
        html.markup("</div></li>\n")
    }

    private mutating func putPeer(_ peer: String?) {
        guard let peer else { return }
        html.markup("<bdi>")
        html.put(peer)
        html.markup("</bdi>: ")
    }

    /// A label, and an arrow below it.
    private mutating func write(message operation: PageRows.Operation, count: Int, _ peer: String?) {
        switch operation.direction {
        case .tx: html.markup("<p class=\"tx\">")
        case .rx: html.markup("<p class=\"rx\">")
        case .unknown: html.markup("<p class=\"sent\">")
        }
        putPeer(peer)
        html.markup("<strong>")
        html.put(operation.method)
        html.markup("</strong> ")
        html.put(operation.attribute)
        if operation.error != nil || options.showsValues && !operation.text.isEmpty {
            html.markup(" <span>")
            putWhat(operation)
            html.markup("</span>")
        }
        if count > 1 {
            html.markup(" <span class=\"count\">× ")
            html.put(count)
            html.markup("</span>")
        }
        html.markup("</p>")
    }
}
