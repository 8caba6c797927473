import AttlasMetrics
import AttlasTrace
import AttlasValues

extension RecordingView {
    /// Plots the selection: a row of the table, or the line's attribute.
    mutating func openPlot(_ recording: Recording) {
        guard let moment else { return say("there is no line to plot", isBad: true) }
        let place = pane == .tree ? tree.selected?.place : moment.line.place
        var peer = moment.line.peer
        if case .peer(let index) = place?.owner { peer = index }
        guard place != nil || peer != nil else { return say("this line is about no peer", isBad: true) }
        var names = peer.map { [moment.playback.trace.title(ofPeer: $0)] } ?? []
        if let place, let name = tree.shown.first(where: { $0.handle == place.handle })?.name {
            names.insert(name, at: 0)
        }
        plot = PlotPane(title: names.filter { !$0.isEmpty }.joined(separator: ", "))
        let former = peer.map { moment.playback.trace.formerPeers(of: $0) } ?? []
        recording.plot(PlotSubject(place: place, peer: peer, formerPeers: former))
        go(to: .plot)
    }

    mutating func closePlot(_ recording: Recording) {
        guard plot != nil else { return }
        plot = nil
        recording.plot(nil)
        if pane == .plot { go(to: .conversation) }
        if lowerPane == .plot { lowerPane = .layers }
    }

    mutating func goToPlottedTime(_ recording: Recording) {
        guard let time = plot?.time, let start = moment?.playback.trace.start,
            let line = recording.line(at: time, since: start)
        else { return }
        select(line, recording)
    }
}
