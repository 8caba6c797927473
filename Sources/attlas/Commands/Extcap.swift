import ArgumentParser
import AttlasCapture
import AttlasDissection
import AttlasInput
import AttlasRecords
import AttlasScreen
import AttlasSources
import AttlasText
import AttlasThreads
import AttlasTrace
import Glibc

/// The options and the output are Wireshark's. https://www.wireshark.org/docs/man-pages/extcap.html
struct Extcap: WritingCommand {
    static let configuration = CommandConfiguration(
        commandName: "extcap",
        abstract: "Offer live sources to Wireshark, with attlas's lines as comments.",
        discussion: """
            Wireshark runs this by the program attlas in its extcap folder. Each packet has what attlas says of it as comments, \
            and each incident is on the packet that shows it.
            """)

    @Flag(name: .customLong("extcap-interfaces"), help: "List the sources.")
    var listsInterfaces = false

    @Option(name: .customLong("extcap-version"), help: "Version of the program that asks.")
    var version: String?

    @Option(
        name: .customLong("extcap-interface"), help: "The source.",
        completion: .list([Interface.monitor.name, Interface.file.name]))
    var interface: String?

    @Flag(name: .customLong("extcap-dlts"), help: "List the link types of the source.")
    var listsLinkTypes = false

    @Flag(name: .customLong("extcap-config"), help: "List the options of the source.")
    var listsOptions = false

    @Flag(help: "Write packets to the pipe of --fifo.")
    var capture = false

    @Option(help: ArgumentHelp("The pipe to write to.", valueName: "out"), completion: .file())
    var fifo: String?

    @Option(name: .customLong("extcap-capture-filter"), help: "A capture filter, which is not supported.")
    var filter: String?

    @Option(help: "Read only this controller of the HCI monitor, such as hci0.")
    var controller: String?

    @Option(help: "The capture to follow, or a pipe to read.", completion: .file(), transform: FilesRead.note)
    var file: String?

    @OptionGroup(title: ShortHelp.title) var decoding: DecodingOptions

    /// An interface offered.
    enum Interface {
        case monitor, file
        /// An interface of libpcap.
        case device(String)

        init?(_ name: String) {
            switch name {
            case Self.monitor.name: self = .monitor
            case Self.file.name: self = .file
            default:
                guard name.hasPrefix("attlas-bluetooth") else { return nil }
                self = .device(String(name.dropFirst(7)))
            }
        }

        var name: String {
            switch self {
            case .monitor: "attlas-monitor"
            case .file: "attlas-file"
            case .device(let name): "attlas-\(name)"
            }
        }

        var description: String {
            switch self {
            case .monitor: "attlas: Bluetooth of this machine (HCI monitor)"
            case .file: "attlas: a Bluetooth capture that grows, or a pipe"
            case .device(let name): "attlas: \(name)"
            }
        }
    }

    var outputs: [OutputPath] { fifo.map { [OutputPath($0, .pipe)] } ?? [] }

    func validate() throws {
        if listsInterfaces { return }
        guard let interface else {
            throw ValidationError("Give --extcap-interfaces, or --extcap-interface with what is wanted of it.")
        }
        guard Interface(interface) != nil else {
            throw ValidationError("\"\(interface)\" is not a source; --extcap-interfaces lists them.")
        }
        if let filter, !filter.isEmpty {
            throw ValidationError("Capture filters are not supported: use a display filter.")
        }
        if capture, fifo == nil { throw ValidationError("--capture needs --fifo.") }
    }

    func run() throws {
        guard let interface = interface.flatMap(Interface.init), !listsInterfaces else {
            return try print(lines: Self.interfaces)
        }
        if listsLinkTypes {
            try print(lines: ["dlt {number=254}{name=BLUETOOTH_LINUX_MONITOR}{display=Bluetooth Linux Monitor}"])
        } else if listsOptions {
            try print(lines: Self.options(of: interface))
        } else if capture, let fifo {
            try capture(interface, to: fifo)
        }
    }

    private static var interfaces: [String] {
        // bluetooth-monitor is the HCI monitor.
        let devices = ((try? LiveSource.devices()) ?? []).map(\.name)
            .filter { $0.hasPrefix("bluetooth") && $0 != "bluetooth-monitor" }
        let all = [Interface.monitor, .file] + devices.map { .device($0) }
        return ["extcap {version=\(AttlasVersion.text)}{display=attlas}"]
            + all.map { "interface {value=\($0.name)}{display=\($0.description)}" }
    }

    private static func options(of interface: Interface) -> [String] {
        var options: [String] = []
        func add(_ call: String, _ display: String, _ rest: String) {
            options.append("arg {number=\(options.count)}{call=--\(call)}{display=\(display)}\(rest)")
        }
        switch interface {
        case .monitor: add("controller", "Controller", "{type=string}{tooltip=Such as hci0. Empty: all}")
        case .file: add("file", "Capture or pipe", "{type=fileselect}{mustexist=true}{required=true}")
        case .device: break
        }
        add(
            "gatt-db", "GATT table",
            "{type=fileselect}{mustexist=true}{tooltip=Another capture of the device, or a table}")
        add("dissectors", "Definitions", "{type=fileselect}{mustexist=true}{tooltip=A YAML file with definitions}")
        return options
    }

    // MARK: Capturing

    private func capture(_ interface: Interface, to fifo: String) throws {
        EndingSignals.installForLiveSource()
        // With the rights of the caller, whose pipe it is.
        let stream = try orExit { () throws(CaptureError) in try RecordStream(OutputPath(fifo, .pipe)) }
        let source = try orExit { () throws(CaptureError) in try liveSource(interface) }
        let opened = try orExit { () throws(CaptureError) in try source.open() }
        for notice in opened.notices { printError(notice) }
        var follows = false
        if case .growing = source { follows = true }
        let reception = Reception(opened, follows: follows, isRecorded: false) { printError($0.detailedDescription) }
        try decoding.withLibrary { try capture(reception, to: stream, $0) }
    }

    private func liveSource(_ interface: Interface) throws(CaptureError) -> LiveSource {
        switch interface {
        case .device(let name): return .device(name)
        case .monitor:
            guard let controller, !controller.isEmpty else { return .monitor(controller: nil) }
            guard let index = LiveOptions.index(of: controller) else {
                throw CaptureError(.unsupported, file: controller, "is not a controller; an example is hci0")
            }
            return .monitor(controller: index)
        case .file:
            guard let file, !file.isEmpty else {
                throw CaptureError(.unsupported, file: interface.name, "needs a file: --file")
            }
            return SystemCalls.regularFileSize(file) == nil ? .pipe(path: file) : .growing(path: file)
        }
    }

    private func capture(_ reception: Reception, to stream: RecordStream, _ library: DissectorLibrary) throws {
        let databases = decoding.loadDatabases()
        guard let receiver = Worker({ reception.receive { () throws(CaptureError) in nil } }) else {
            throw ExitCode(1)
        }
        receiver.detach()
        var annotator = RecordAnnotator(databases.makeTrace(), library: library)
        var comments: [UInt8] = []
        stream.flush()
        while stream.failure == nil, let batch = reception.view.next() {
            batch.visit { record in
                comments.removeAll(keepingCapacity: true)
                annotator.annotate(record, &comments)
                stream.write(record, comments: comments)
                return stream.failure == nil
            }
            stream.flush()
        }
        reception.stop()
        if let failure = stream.failure, failure != EPIPE {
            printError("\(fifo ?? ""): cannot be written: \(SystemCalls.message(failure))")
            throw ExitCode(1)
        }
        if let failure = reception.failure {
            printError(failure.detailedDescription)
            throw ExitCode(1)
        }
    }
}
