import AttlasTestSupport
import Foundation
import Testing

/// What is small and says that it is large.
@Suite(.serialized) struct BombTests {
    /// Packs a capture of packets of 256 kB, all zeros, and runs the command: its status, its peak of resident memory in
    /// kB and, after it, what it wrote to standard error.
    private static let script = """
        import resource, struct, subprocess, sys, zipfile
        kind, path, count, command = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
        header = b"btsnoop\\0" + struct.pack(">II", 1, 1002)
        packet = b"\\x04" + bytes(262143)
        record = struct.pack(">IIIIq", len(packet), len(packet), 1, 0, 0x00E03AB44A676000) + packet
        def write(stream):
            stream.write(header)
            for _ in range(count):
                stream.write(record)
        if kind == "zip":
            with zipfile.ZipFile(path + ".inner", "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                with archive.open("a.btsnoop", "w", force_zip64=True) as stream:
                    write(stream)
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(path + ".inner", "inner.zip")
        elif kind == "members":
            # 100 MB of zeros in each, which is no capture, in a zip that packs them once more.
            import gzip, io
            member = io.BytesIO()
            with gzip.GzipFile(fileobj=member, mode="wb", mtime=0) as stream:
                for _ in range(count // 4):
                    stream.write(bytes(1 << 20))
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                for number in range(16):
                    archive.writestr("%d.gz" % number, member.getvalue())
        else:
            with open(path, "wb") as output:
                packer = subprocess.Popen([kind, "-1", "-q", "-c"], stdin=subprocess.PIPE, stdout=output)
                write(packer.stdin)
                packer.stdin.close()
                packer.wait()
        run = subprocess.run(command + [path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        print(run.stderr.decode())
        """

    /// Half a gigabyte in a small file. (Documentation/limits.md: what comes out of a compressed file.)
    @Test(arguments: [("zstd", 2_048)])
    func aBombIsReadUpToTheLimitAndNamed(_ kind: String, packets: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("bomb")
        let result = try Command.run(
            "/usr/bin/python3", ["-c", Self.script, kind, path, "\(packets)", Command.binary, "show", "--json"])
        let numbers = result.output.prefix { $0 != "\n" }.split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 2, "\(result.errors)")
        expect(numbers[0], equals: 1)
        let message = "at a limit of 256 to 1, this is treated as a decompression bomb, and the rest is not read"
        expect(result.output.split(separator: "\n").count { $0.contains(message) }, equals: 1, "\(result.output)")
        // The packer is a child, too, which takes less.
        if Sanitizer.leavesMemoryAlone { #expect(numbers[1] < 96 << 10) }
    }
}

@Suite(.serialized) struct BombLongTests {
    /// 10 GB in a file of a megabyte; a gigabyte in a zip that is in a zip; and many times 100 MB, none of which is too much by itself.
    @Test(arguments: [("zstd", 40_960), ("zip", 4_096), ("members", 400)])
    func aBombIsReadUpToTheLimitAndNamed(_ kind: String, packets: Int) throws {
        try BombTests().aBombIsReadUpToTheLimitAndNamed(kind, packets: packets)
    }
}
