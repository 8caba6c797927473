import AttlasTrace
import AttlasWire

/// A possible cause of incidents, and the evidence that it requires.
struct Hypothesis: Sendable {
    /// The incidents that it can be the cause of.
    let explains: Set<Incident.Kind>
    /// `proved` only if a packet proves it.
    let certainty: Incident.Cause.Certainty
    /// nil if a fact is missing that supports it, or a fact refutes it.
    let account: @Sendable (Evidence) -> Account?

    init(
        _ explains: Set<Incident.Kind>, _ certainty: Incident.Cause.Certainty,
        _ account: @escaping @Sendable (Evidence) -> Account?
    ) {
        self.explains = explains
        self.certainty = certainty
        self.account = account
    }

    /// A hypothesis applied to one incident.
    struct Account {
        /// The cause, with the frames and the numbers that support it.
        var text: String
        /// One thing to do.
        let next: String
        /// Frames of the evidence, besides those of the incident.
        var steps: [Incident.Step] = []
        /// Whether the device caused it, not the link between it and this host.
        var isOfDevice = false
        /// Whether another incident is the one to look at.
        var isConsequence = false
    }
}

extension Hypothesis {
    /// Within each certainty, the more specific hypothesis comes first.
    static let all: [Hypothesis] = ofLosses + ofKeys + ofRequests + ofSecurity
}

extension Incident {
    /// Takes the best supported hypothesis as the cause; the incident keeps its first cause if none applies.
    mutating func explain(with evidence: Evidence) {
        var accounts: [(certainty: Cause.Certainty, account: Hypothesis.Account)] = []
        for hypothesis in Hypothesis.all where hypothesis.explains.contains(kind) {
            if let account = hypothesis.account(evidence) { accounts.append((hypothesis.certainty, account)) }
        }
        guard var best = accounts.first(where: { $0.certainty == .proved }) ?? accounts.first else { return }
        // A second one that is as likely.
        if best.certainty == .likely, accounts.count > 1 {
            best.account.text += " Also possible: \(accounts[1].account.text)"
        }
        take(best.account, best.certainty)
    }

    /// Takes the account as the cause.
    mutating func take(_ account: Hypothesis.Account, _ certainty: Cause.Certainty) {
        cause = Cause(certainty: certainty, text: account.text)
        isOfDevice = account.isOfDevice
        if account.isConsequence { weight = min(weight, .hindered) }
        next = account.next
        for step in account.steps { add(step.frame, step.text) }
    }
}
