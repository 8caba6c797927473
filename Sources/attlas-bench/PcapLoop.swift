import CPcap
import Glibc

/// The time of libpcap for reading a capture without looking at it: `pcap_next_ex` until the end.
enum PcapLoop {
    /// - Returns: packets read.
    static func run(_ path: String) throws(SystemFailure) -> Int {
        var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let capture = unsafe pcap_open_offline(path, &message) else { throw SystemFailure(path, errno) }
        defer { unsafe pcap_close(capture) }
        var header: UnsafeMutablePointer<pcap_pkthdr>?
        var octets: UnsafePointer<UInt8>?
        var packets = 0
        while unsafe pcap_next_ex(capture, &header, &octets) == 1 { packets += 1 }
        return packets
    }
}

/// The time of memory access alone: the sum of all octets, eight at a time.
enum MemoryFloor {
    static func run(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0
            for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
                unsafe sum &+= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            return sum
        }
    }
}
