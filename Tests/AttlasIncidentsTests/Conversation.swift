import AttlasIncidents
import AttlasTestSupport

/// The incidents of a conversation.
func incidents(of packets: [Packet]) -> [Incident] {
    document(of: packets) { IncidentCollector(values: $0) }.incidents
}
