import AttlasTestSupport
import Foundation
import Testing

/// `attlas extcap`, by Wireshark's description of extcap programs, and with tshark.
@Suite struct ExtcapTests {
    private static let capture = Repository.capture("bluez-central.btsnoop")

    private func extcap(_ arguments: String...) throws -> Command.Result {
        try Command.attlas(["extcap"] + arguments)
    }

    /// Braces with a name, an equals sign and a value after the kind of line.
    @Test func sourcesAndTheirOptionsAreListed() throws {
        let sources = try extcap("--extcap-interfaces", "--extcap-version=4.0")
        #expect(sources.status == 0 && sources.output.hasPrefix("extcap {version="))
        #expect(sources.output.contains("\ninterface {value=attlas-monitor}{display=attlas: Bluetooth of this machine"))
        #expect(sources.output.contains("\ninterface {value=attlas-file}{display="))
        let link = try extcap("--extcap-interface", "attlas-file", "--extcap-dlts")
        // LINKTYPE_BLUETOOTH_LINUX_MONITOR
        #expect(link.output.hasPrefix("dlt {number=254}{name=") && link.status == 0)
        let options = try extcap("--extcap-interface", "attlas-file", "--extcap-config")
        let lines = options.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("arg {number=0}{call=--file}") == true && lines.count > 1)
        for line in (sources.output + link.output + options.output).split(separator: "\n") {
            #expect(try #/(extcap|interface|dlt|arg) ?(\{[a-z]+=[^{}]+\})+/#.wholeMatch(in: line) != nil, "\(line)")
        }
    }

    @Test(arguments: [
        ("", "Give --extcap-interfaces"), ("--extcap-interface eth0 --extcap-dlts", "\"eth0\" is not a source"),
        ("--extcap-interface attlas-file --capture", "--capture needs --fifo"),
        ("--extcap-interface attlas-file --extcap-capture-filter ip", "Capture filters are not supported"),
    ]) func whatIsNotOfferedIsRefused(_ options: String, _ reason: String) throws {
        let result = try Command.attlas(["extcap"] + options.split(separator: " ").map(String.init))
        #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }

    /// While the file grows; ended by SIGTERM, as Wireshark does.
    @Test func aGrowingFileIsDeliveredWithComments() throws {
        let folder = try TemporaryFolder()
        let script = """
            cd '\(folder.url.path)'; mkfifo fifo; head -c 9000 '\(Self.capture)' > log
            '\(Command.binary)' extcap --capture --extcap-interface attlas-file --file log --fifo fifo & writer=$!
            cat fifo > out.pcapng & reader=$!
            for i in $(seq 300); do [ "$(stat -c %s out.pcapng)" -gt 9000 ] && break; sleep 0.1; done
            tail -c +9001 '\(Self.capture)' >> log
            for i in $(seq 300); do '\(Command.binary)' show out.pcapng 2> /dev/null | grep -q '^468 records' && break; sleep 0.1; done
            kill -TERM $writer; wait $writer; echo "$?"; wait $reader
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        #expect(result.output == "0\n" && result.errors.isEmpty, "\(result.output)\(result.errors)")
        let annotated = folder.path("annotated.pcapng")
        try expect(Command.attlas(["convert", "--annotate", Self.capture, annotated]).status, equals: 0)
        let (live, later) = (try comments(of: folder.path("out.pcapng")), try comments(of: annotated))
        #expect(live.count == 468 && later.count == 468)
        // Incidents are on the record that shows them, and findings are known at the end.
        func isNote(_ comment: Substring) -> Bool { comment.contains("incident · ") || comment.contains("lint · ") }
        for (frame, (one, other)) in zip(live, later).enumerated() where !isNote(one) && !isNote(other) {
            expect(one, equals: other, "frame \(frame + 1)")
        }
        #expect(live[391].contains("Error") && live[391].contains("incident · Lamp 12: Read Request"))
    }

    /// The comments of each packet, by tshark.
    private func comments(of file: String) throws -> [Substring] {
        let result = try Command.run(
            "/usr/bin/env", ["tshark", "-r", file, "-T", "fields", "-E", "aggregator=|", "-e", "frame.comment"])
        return result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    @Test func aReaderThatGoesAwayEndsIt() throws {
        let folder = try TemporaryFolder()
        let script = """
            cd '\(folder.url.path)'; mkfifo fifo
            '\(Command.binary)' extcap --capture --extcap-interface attlas-file --file '\(Self.capture)' --fifo fifo & writer=$!
            head -c 100 fifo | wc -c
            wait $writer; echo "$?"
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        #expect(result.output == "100\n0\n" && result.errors.isEmpty, "\(result.output)\(result.errors)")
    }

    @Test func whatCannotBeReadIsSaid() throws {
        let folder = try TemporaryFolder()
        // A reader as Wireshark is one. It must not outlive the script, since Foundation waits for all that the script starts, and signals other than SIGKILL may be blocked.
        let script = """
            cd '\(folder.url.path)'; mkfifo fifo; sleep 20 < fifo & reader=$!
            '\(Command.binary)' extcap --capture --extcap-interface attlas-file --file /no/such/file --fifo fifo; status=$?
            kill -9 $reader; exit $status
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        #expect(
            result.status == 1 && result.errors.contains("/no/such/file: cannot be opened: No such file"),
            "\(result.errors)")
    }

    /// tshark takes another folder of programs only from a user who is not root. That user may not be permitted to enter the folder of this package.
    @Test func tsharkCapturesFromIt() throws {
        let folder = try TemporaryFolder()
        let script = """
            cd '\(folder.url.path)'; chmod 755 .; mkdir extcap home; chmod 777 home
            ln '\(Command.binary)' attlas || cp '\(Command.binary)' attlas
            printf '#!/bin/sh\\nexec %s extcap "$@"\\n' "$PWD/attlas" > extcap/attlas; chmod 755 extcap/attlas
            cp '\(Self.capture)' log.btsnoop; chmod 644 log.btsnoop
            [ "$(id -u)" != 0 ] || user="setpriv --reuid=65534 --regid=65534 --clear-groups"
            as() { $user env HOME="$PWD/home" WIRESHARK_EXTCAP_DIR="$PWD/extcap" "$@"; }
            as tshark -D 2> /dev/null | grep -o 'attlas-[a-z]* (.*'
            as timeout 60 tshark -i attlas-file -o extcap.attlas_file.file:"$PWD/log.btsnoop" -c 468 -w home/out.pcapng 2> home/errors
            echo "$?"; cat home/errors >&2
            tshark -r home/out.pcapng -Y 'frame.comment contains "Insufficient Authorization"' -T fields -e frame.number 2> /dev/null
            """
        let result = try Command.run("/bin/bash", ["-c", script])
        #expect(
            result.output == """
                attlas-file (attlas: a Bluetooth capture that grows, or a pipe)
                attlas-monitor (attlas: Bluetooth of this machine (HCI monitor))
                0
                392

                """, "\(result.output)\(result.errors)")
    }
}
