import AttlasCapture
import AttlasIncidents
import AttlasSources

/// Reports of a live session while it runs: incidents to the recording, and counts to a file.
final class LiveReports {
    /// Incidents around which is recorded.
    private let choice: IncidentChoice?
    let metrics: MetricsFile?
    var reception: Reception?

    /// - Throws: If the file of counts cannot be written.
    init(_ options: LiveOptions, report: @escaping @Sendable (CaptureError) -> Void) throws(CaptureError) {
        choice = options.flight.choice
        guard let path = options.metricsOutput else {
            metrics = nil
            return
        }
        let metrics = try MetricsFile(path, report: report)
        try metrics.start()
        self.metrics = metrics
    }

    func receive(_ incident: IncidentCollector.News) {
        metrics?.note(incident)
        guard let choice, choice.holds(incident) else { return }
        reception?.trigger(frame: incident.frame, incident.kind.rawValue)
    }
}
