extension InferredField {
    /// What is claimed: `counter, step 1`.
    package var sentence: String {
        switch kind {
        case .constant(let octets): "constant \(Self.hex(octets))"
        case .opcode(let octets): "\(Self.hex(octets)) selects this layout"
        case .counter(let step): "counter, step \(step)\(ordered)"
        case .length(let plus):
            plus == 0
                ? "number of octets of the value\(ordered)"
                : "number of octets of the value \(plus > 0 ? "minus" : "plus") \(plus.magnitude)\(ordered)"
        case .epoch(let ticks): "time in \(Self.unit(ticks)) since 1970\(ordered)"
        case .uptime(let ticks): "clock of the device, in \(Self.unit(ticks))\(ordered)"
        case .number: "\(isSigned ? "signed " : "")number that moves in small steps\(ordered)"
        case .float: "IEEE 754 number that moves in small steps\(ordered)"
        case .medicalFloat: "SFLOAT of IEEE 11073 that moves in small steps\(ordered)"
        case .sum(let parts):
            "sum of the \(parts.count / 2) numbers at \(parts.lowerBound) to \(parts.upperBound - 1)\(ordered)"
        case .address: "address of a device of this capture\(ordered)"
        case .uuid: "UUID\(ordered)"
        case .flags(let bits): "flags: \(Self.list(bits)) change alone"
        case .text: "text"
        case .scrambled: "encrypted, compressed or random"
        case .check(let check): "\(check.title) of \(check.coverage)\(ordered)"
        case .open: "not explained"
        }
    }

    /// Of several octets only.
    private var ordered: String {
        width > 1 ? ", \(isBigEndian ? "most" : "least") significant octet first" : ""
    }

    private static func unit(_ ticks: Int) -> String {
        switch ticks {
        case 1: "seconds"
        case 10: "units of 100 ms"
        case 100: "units of 10 ms"
        default: "milliseconds"
        }
    }

    private static func list(_ bits: UInt8) -> String {
        let numbers = (0..<8).filter { bits >> $0 & 1 != 0 }.map(String.init)
        guard let last = numbers.last, numbers.count > 1 else { return "bit \(numbers.joined())" }
        return "bits \(numbers.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// `05–B4`
    package static func hex(_ range: ClosedRange<UInt8>) -> String {
        range.count == 1 ? hex([range.lowerBound]) : "\(hex([range.lowerBound]))–\(hex([range.upperBound]))"
    }

    package static func hex(_ octets: [UInt8]) -> String {
        octets.map { octet in
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined(separator: " ")
    }

    /// The kind as one word, for programs.
    package var word: String {
        switch kind {
        case .constant: "constant"
        case .opcode: "opcode"
        case .counter: "counter"
        case .length: "length"
        case .epoch: "time"
        case .uptime: "uptime"
        case .number: "number"
        case .float: "float"
        case .medicalFloat: "SFLOAT"
        case .sum: "sum"
        case .address: "address"
        case .uuid: "uuid"
        case .flags: "flags"
        case .text: "text"
        case .scrambled: "scrambled"
        case .check: "check"
        case .open: "open"
        }
    }
}
