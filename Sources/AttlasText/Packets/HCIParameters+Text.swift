import AttlasDissection
import AttlasValues
import AttlasWire

extension TextBuffer {
    /// ` · Status Success (0x00) · Connection Handle 0x0040`, and nothing where there are none.
    package mutating func append(_ parameters: borrowing HCIParameters, _ values: ValueInterpreter) {
        guard parameters.hasLayout else {
            if parameters.octets.count == 0 { return }
            append(" · ")
            return append(parameters.octets, limit: 32)
        }
        parameters.read { dissection, dissector, octets in
            let start = count
            append(" · ")
            let content = count
            append(summaryOf: dissection, of: dissector, value: octets)
            if count == content { truncate(to: start) }
            for index in 0..<dissection.count {
                guard let data = dissection.advertisedData(at: index, of: dissector, octets) else { continue }
                append(" · ")
                append(data, values)
            }
        }
    }
}
