import AttlasConversation
import AttlasDocuments
import AttlasLint
import AttlasMetrics
import AttlasText
import AttlasValues

/// Two captures of the same devices side by side, for every form of a report: their `diff`, and the findings of both.
package struct ReportComparison {
    package typealias Capture = (file: String, model: ReportModel)

    let first: Capture
    let second: Capture
    let difference: CaptureDifference
    /// Findings only in the second capture, only in the first, and in both; of each the most severe first.
    let findings: [Finding]

    /// Findings of one fault, by its fingerprint.
    struct Finding {
        /// The first one of them in a capture; nil if it has none.
        fileprivate(set) var first: LintFinding?
        fileprivate(set) var second: LintFinding?
        /// How often it was seen.
        fileprivate(set) var firstCount = 0
        fileprivate(set) var secondCount = 0

        var change: Change { first == nil ? .new : second == nil ? .gone : .both }
    }

    enum Change: String, CaseIterable {
        case new = "only in B"
        case gone = "only in A"
        case both = "in both"
    }

    /// nil unless both were collected to be compared.
    package init?(_ first: Capture, _ second: Capture) {
        guard let snapshot = first.model.snapshot, let other = second.model.snapshot else { return nil }
        (self.first, self.second) = (first, second)
        difference = CaptureDifference(snapshot, other)
        var places: [String: Int] = [:]
        var found: [Finding] = []
        func note(_ lint: LintModel, _ add: (inout Finding, LintFinding) -> Void) {
            for finding in [LintReport(file: "", lint)].mostSevereFirst.map(\.finding) {
                let place = places[finding.fingerprint] ?? found.count
                if place == found.count { found.append(Finding()) }
                places[finding.fingerprint] = place
                add(&found[place], finding)
            }
        }
        note(first.model.lint) { pair, finding in
            pair.first = pair.first ?? finding
            pair.firstCount += finding.count
        }
        note(second.model.lint) { pair, finding in
            pair.second = pair.second ?? finding
            pair.secondCount += finding.count
        }
        findings = Change.allCases.flatMap { change in found.filter { $0.change == change } }
    }

    /// The finding and the model of a capture that has it.
    func words(of pair: Finding) -> (finding: LintFinding, model: LintModel)? {
        if let finding = pair.first { return (finding, first.model.lint) }
        return pair.second.map { ($0, second.model.lint) }
    }

    /// The changes: incidents, findings, trees, round trips and ranges of values.
    func sentences(_ values: ValueInterpreter, showsValues: Bool) -> [String] {
        let counts = Change.allCases.map { change in
            let titles = findings.filter { $0.change == change }.compactMap { words(of: $0)?.finding.rule.title }
            let named = change == .both || titles.isEmpty ? "" : " (\(Self.list(titles)))"
            return "\(titles.count) \(change.rawValue)\(named)"
        }
        var sentences = [("A", first), ("B", second)].compactMap { letter, capture in
            capture.model.integrity.damage.map { "\(letter): \($0.what)." }
        }
        sentences += [incidentSentence, "Findings: \(counts.joined(separator: ", "))."]
        let verdict = DifferenceVerdict(
            difference, failOn: [.tree, .slower], tolerance: DifferenceVerdict.usualTolerance)
        var trees: [String] = []
        var slower: [String] = []
        var slowerKeys: Set<CaptureSnapshot.MeasureKey> = []
        for failure in verdict.failures {
            switch failure {
            case .tree(let server):
                trees.append(TextBuffer("\({ $0.append(server) }): \(server.changes.count, "attribute")").text)
            case .slower(let key, let percentile, let before, let after):
                // p50 shows it, if both are slower.
                guard slowerKeys.insert(key).inserted else { continue }
                let change = TextBuffer("\(duration: Int64(before) * 1_000) → \(duration: Int64(after) * 1_000)")
                slower.append("\(key.words(values)): p\(percentile) \(change.text)")
            case .incidents, .incomplete: break
            }
        }
        sentences.append(treeSentence(trees))
        let percent = Int(DifferenceVerdict.usualTolerance)
        let measured = difference.exchanges.count - verdict.notCompared.count
        sentences.append(
            slower.isEmpty
                ? "No request became slower by more than \(percent) % (\(measured) of \(difference.exchanges.count) kinds could be compared: \(DifferenceVerdict.leastCount) or more round trips in each capture)."
                : "Slower by more than \(percent) %: \(Self.list(slower)).")
        if showsValues, !difference.fields.isEmpty {
            let count = difference.fields.count
            sentences.append("\(count) field\(count == 1 ? " has" : "s have") other values than before.")
        }
        let ends = [first, second].map { ReportSummary(model: $0.model).ends(showsFrames: false) }
        if ends[0] != ends[1] { sentences.append("A has \(ends[0]) B has \(ends[1])") }
        return sentences
    }

    /// - Parameter trees: those that differ.
    private func treeSentence(_ trees: [String]) -> String {
        let same =
            switch difference.servers.count(where: \.isCompared) {
            case 0: "No device has a GATT tree in both captures"
            case _ where !trees.isEmpty: "GATT trees differ: \(Self.list(trees))"
            case 1: "The GATT tree is the same in both captures"
            case let count: "\(count) GATT trees are the same"
            }
        let alone = [
            ("A", difference.servers.count { $0.second == nil }), ("B", difference.servers.count { $0.first == nil }),
        ].filter { $0.1 > 0 }.map { "\($0.1) only in \($0.0)" }
        return ([same] + (alone.isEmpty ? [] : [alone.joined(separator: ", ")])).joined(separator: "; ") + "."
    }

    private var incidentSentence: String {
        let counts = CaptureDifference.IncidentDifference.Change.allCases.compactMap { change -> String? in
            let pairs = difference.incidents.filter { $0.change == change }
            guard !pairs.isEmpty else { return nil }
            let named = change == .same ? "" : " (\(Self.list(pairs.map(\.words))))"
            return "\(pairs.count) \(change.rawValue)\(named)"
        }
        return counts.isEmpty ? "No incidents in either capture." : "Incidents: \(counts.joined(separator: ", "))."
    }

    private static func list(_ parts: [String]) -> String {
        parts.prefix(3).joined(separator: ", ") + (parts.count > 3 ? " and \(parts.count - 3) more" : "")
    }

    var plots: [(first: PagePlot, second: PagePlot)] { PagePlot.pairs(first.model.plots, second.model.plots) }

    /// The facts of both, by their names.
    var facts: [(name: String, first: String, second: String)] {
        let summaries = [first, second].map { ReportSummary(model: $0.model) }
        let (before, after) = (summaries[0].facts(file: first.file), summaries[1].facts(file: second.file))
        let names = before.map(\.name) + after.map(\.name).filter { name in !before.contains { $0.name == name } }
        func text(_ facts: [(name: String, text: String)], _ name: String) -> String {
            facts.filter { $0.name == name }.map(\.text).joined(separator: "; ")
        }
        var known: Set<String> = []
        return names.filter { known.insert($0).inserted }.map { ($0, text(before, $0), text(after, $0)) }
            + zip(["Findings", "Round trips", "Ends"], zip(summaries[0].sentences, summaries[1].sentences)).map {
                ($0, $1.0, $1.1)
            }
    }
}

extension PagePlot {
    /// The same numbers of two captures: of the same device, or of the only one in each capture.
    static func pairs(_ first: [PagePlot], _ second: [PagePlot]) -> [(first: PagePlot, second: PagePlot)] {
        first.compactMap { plot in
            let others = second.filter { $0.isSameQuantity(as: plot) }
            let isAlone = others.count == 1 && first.count { $0.isSameQuantity(as: plot) } == 1
            return (others.first { $0.device == plot.device } ?? (isAlone ? others[0] : nil)).map { (plot, $0) }
        }
    }

    private func isSameQuantity(as other: PagePlot) -> Bool {
        subject == other.subject && path == other.path && series.name == other.series.name
            && series.unit == other.series.unit
    }
}

extension CaptureDifference.IncidentDifference {
    /// `HRM-7 F2:F2:F2:F2:F2:F2: connection lost`
    var words: String {
        TextBuffer("\({ $0.append(self) })").text
    }
}

extension CaptureSnapshot.MeasureKey {
    /// `→ Read Battery › Battery Level`
    func words(_ values: ValueInterpreter) -> String {
        [String(describing: ConversationText.arrow(direction).0), "\(opcode.shortName)", path(values)]
            .filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension CaptureDifference.AttributeChange {
    /// The kind of change.
    var word: String {
        if first == nil { return "only in B" }
        if second == nil { return "only in A" }
        return [isMoved ? "moved" : nil, hasOtherProperties ? "other properties" : nil].compactMap(\.self)
            .joined(separator: ", ")
    }
}
