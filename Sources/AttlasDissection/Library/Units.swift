/// The units of the Bluetooth SIG's assigned numbers and their symbols, and the multiples of them that characteristics use.
///
/// A definition's `unit:` is a symbol. Two of the SIG's units may share one, as coulomb per square metre does.
package enum Units {
    package struct Unit: Sendable {
        package var symbol: String
        /// The 16-bit UUID, if the SIG assigned one.
        var uuid: UInt16?
    }

    package static func named(_ symbol: String) -> Unit? {
        all.first { $0.symbol == symbol }
    }

    /// The symbol of a unit by its 16-bit UUID, as a Presentation Format descriptor carries it; nil for unitless and for
    /// numbers without units.
    static func symbol(of uuid: UInt16) -> String? {
        all.first { $0.uuid == uuid }?.symbol
    }

    /// In one of a unit of time.
    package static func nanoseconds(_ symbol: String) -> Int64? {
        switch symbol {
        case "µs": 1_000
        case "ms": 1_000_000
        case "s": 1_000_000_000
        case "min": 60_000_000_000
        case "h": 3_600_000_000_000
        case "d": 86_400_000_000_000
        default: nil
        }
    }

    package static let all: [Unit] =
        assigned.map { Unit(symbol: $1, uuid: $0) } + others.map { Unit(symbol: $0, uuid: nil) }

    private static let others = [
        "ms", "µs", "kJ", "dB", "dBm", "kPa", "hPa", "mV", "mA", "mAh", "Wh", "mm", "cm", "km", "dm", "g", "mol/L",
        "kg/L", "mg/L", "IU", "IU/mL", "IU/h", "octets", "kHz", "MHz", "cm/s", "mm/s", "1/min", "kg/m", "µg/m³",
        "kWh/d",
        "K/min", "mL", "µT", "m³/s", "K/s", "m³/h", "°/s", "µS/cm",
    ]

    private static let assigned: [(uuid: UInt16, symbol: String)] = [
        (0x2701, "m"), (0x2702, "kg"), (0x2703, "s"), (0x2704, "A"), (0x2705, "K"), (0x2706, "mol"), (0x2707, "cd"),
        (0x2710, "m²"), (0x2711, "m³"), (0x2712, "m/s"), (0x2713, "m/s²"), (0x2714, "1/m"), (0x2715, "kg/m³"),
        (0x2716, "kg/m²"), (0x2717, "m³/kg"), (0x2718, "A/m²"), (0x2719, "A/m"), (0x271A, "mol/m³"),
        (0x271B, "kg/m³"), (0x271C, "cd/m²"), (0x2720, "rad"), (0x2721, "sr"), (0x2722, "Hz"), (0x2723, "N"),
        (0x2724, "Pa"), (0x2725, "J"), (0x2726, "W"), (0x2727, "C"), (0x2728, "V"), (0x2729, "F"), (0x272A, "Ω"),
        (0x272B, "S"), (0x272C, "Wb"), (0x272D, "T"), (0x272E, "H"), (0x272F, "°C"), (0x2730, "lm"), (0x2731, "lx"),
        (0x2732, "Bq"), (0x2733, "Gy"), (0x2734, "Sv"), (0x2735, "kat"), (0x2740, "Pa·s"), (0x2741, "N·m"),
        (0x2742, "N/m"), (0x2743, "rad/s"), (0x2744, "rad/s²"), (0x2745, "W/m²"), (0x2746, "J/K"),
        (0x2747, "J/(kg·K)"), (0x2748, "J/kg"), (0x2749, "W/(m·K)"), (0x274A, "J/m³"), (0x274B, "V/m"),
        (0x274C, "C/m³"), (0x274D, "C/m²"), (0x274E, "C/m²"), (0x274F, "F/m"), (0x2750, "H/m"), (0x2751, "J/mol"),
        (0x2752, "J/(mol·K)"), (0x2753, "C/kg"), (0x2754, "Gy/s"), (0x2755, "W/sr"), (0x2756, "W/(m²·sr)"),
        (0x2757, "kat/m³"), (0x2760, "min"), (0x2761, "h"), (0x2762, "d"), (0x2763, "°"), (0x2764, "′"),
        (0x2765, "″"), (0x2766, "ha"), (0x2767, "L"), (0x2768, "t"), (0x2780, "bar"), (0x2781, "mmHg"),
        (0x2782, "Å"), (0x2783, "NM"), (0x2784, "b"), (0x2785, "kn"), (0x2786, "Np"), (0x2787, "B"), (0x27A0, "yd"),
        (0x27A1, "pc"), (0x27A2, "in"), (0x27A3, "ft"), (0x27A4, "mi"), (0x27A5, "psi"), (0x27A6, "km/h"),
        (0x27A7, "mph"), (0x27A8, "rpm"), (0x27A9, "cal"), (0x27AA, "kcal"), (0x27AB, "kWh"), (0x27AC, "°F"),
        (0x27AD, "%"), (0x27AE, "‰"), (0x27AF, "bpm"), (0x27B0, "Ah"), (0x27B1, "mg/dL"), (0x27B2, "mmol/L"),
        (0x27B3, "a"), (0x27B4, "mo"), (0x27B5, "1/m³"), (0x27B6, "W/m²"), (0x27B7, "mL/(kg·min)"), (0x27B8, "lb"),
        (0x27B9, "MET"), (0x27BA, "steps/min"), (0x27BC, "strokes/min"), (0x27BD, "km/min"), (0x27BE, "lm/W"),
        (0x27BF, "lm·h"), (0x27C0, "lx·h"), (0x27C1, "g/s"), (0x27C2, "L/s"), (0x27C3, "dB SPL"), (0x27C4, "ppm"),
        (0x27C5, "ppb"), (0x27C6, "(mg/dL)/min"), (0x27C7, "kVAh"), (0x27C8, "VA"), (0x27C9, "gₙ"),
    ]
}
