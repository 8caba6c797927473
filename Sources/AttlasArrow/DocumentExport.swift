import AttlasCapture
import AttlasCheck
import AttlasDissection
import AttlasDocuments
import AttlasInput
import AttlasMetrics
import AttlasTables
import AttlasText
import AttlasValues
import AttlasWire
import Glibc

/// The documents that attlas_read_document makes.
private enum Document: String, CaseIterable {
    case devices, tree, stats, lint, contents

    /// Records between two questions whether to continue, and rows of at most 64 records.
    private static let pace = (records: 4_096, rows: 64)

    /// - Returns: JSON; nil if it was stopped.
    func write(_ request: CaptureRequest, goesOn: () -> Bool) throws -> [UInt8]? {
        let library = request.library
        switch self {
        case .devices:
            return try write(request, goesOn) {
                DeviceCollector()
            } _: { model, file, output in
                var document = DevicesJSON(model, values: ValueInterpreter(library: library))
                document.write(file: file, into: &output)
            }
        case .tree:
            return try write(request, goesOn) {
                Interpreted(library: library) { TreeCollector(values: $0) }
            } _: { model, file, output in
                var document = TreeJSON(model)
                document.write(file: file, into: &output)
            }
        case .stats:
            var whyNothing: String?
            let json = try write(request, goesOn) {
                let selection = request.makeSelection()
                return Interpreted(library: library, readsValues: selection.readsValues) {
                    SelectedStatistics(selection: selection, values: $0, optionPrefix: "")
                }
            } _: { model, file, output in
                whyNothing = model.whyNothing
                var document = StatisticsJSON(model, grouping: .connection)
                document.write(file: file, into: &output)
            }
            if let whyNothing, !request.mayMatchNothing { throw RequestMistake(nothing: whyNothing) }
            return json
        case .lint:
            return try write(request, goesOn) {
                Interpreted(library: library) { CheckCollector([], isStrict: false, values: $0) }
            } _: { model, file, output in
                var document = LintJSON(model)
                document.write(file: file, into: &output)
            }
        case .contents:
            return contents(of: request.path, goesOn)
        }
    }

    /// The names of the captures in a file: its own, or of those inside an archive; and the replacement for the names of others.
    private func contents(of path: String, _ goesOn: () -> Bool) -> [UInt8]? {
        var captures: [String] = []
        var errors: [String] = []
        var set = CaptureSet(path: path)
        var count = 0
        while !PythonSignals.haveInterrupted, goesOn() {
            do throws(CaptureError) {
                guard var reader = try set.next() else { return json(["captures": captures, "errors": errors]) }
                captures.append(reader.info.file)
                // Then it is the file.
                guard reader.info.file != path else { return json(["captures": captures, "errors": errors]) }
                // In an archive, the next capture is found after the records of this one. Their faults are reported while decoding.
                while (try? reader.next()) != nil {
                    count += 1
                    if PythonSignals.haveInterrupted || count.isMultiple(of: Self.pace.records) && !goesOn() {
                        return nil
                    }
                }
            } catch {
                errors.append(error.detailedDescription)
            }
        }
        return nil
    }

    private func write<Collector: DocumentCollector>(
        _ request: CaptureRequest, _ goesOn: () -> Bool, _ makeCollector: () -> Collector,
        _ print: (Collector.Document, String, inout Output) -> Void
    ) throws(CaptureError) -> [UInt8]? {
        var pass = CapturePass(try CaptureReader(path: request.path), request.makeTrace(), makeCollector())
        var count = 0
        while pass.document == nil {
            pass.readRecords()
            count += 1
            if PythonSignals.haveInterrupted || count.isMultiple(of: Self.pace.rows) && !goesOn() { return nil }
        }
        if let failure = pass.failure, failure.kind == .changed { throw failure }
        var output = Output.keeping()
        if let document = pass.document { print(document, pass.info.file, &output) }
        return output.kept
    }
}

private func json(_ lists: KeyValuePairs<String, [String]>) -> [UInt8] {
    var text = TextBuffer()
    for (index, (name, members)) in lists.enumerated() {
        text.append(index == 0 ? "{" : ",")
        text.append(jsonString: name)
        text.append(":[")
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(",") }
            text.append(jsonString: member)
        }
        text.append("]")
    }
    text.append("}")
    return Array(text.bytes)
}

/// The attribute's value as `attlas dissect --json` prints it.
private func dissect(
    _ attribute: String, _ value: [UInt8], _ operation: String?, _ library: DissectorLibrary
) throws(RequestMistake) -> [UInt8] {
    let access: AttributeAccess?
    if let operation {
        guard let known = AttributeAccess(word: operation) else {
            let words = AttributeAccess.allCases.map(\.word).joined(separator: ", ")
            throw RequestMistake("there is no operation \(operation): the operations are \(words)")
        }
        access = known
    } else {
        access = nil
    }
    let dissector: Dissector
    do throws(NameMistake) {
        dissector = try library.dissector(named: attribute)
    } catch {
        throw RequestMistake(error.message)
    }
    let context = [Int64?](repeating: nil, count: dissector.context.count)
    let readings = ContextFreeReading.all(of: [value], as: access, by: dissector, context: context)
    guard let best = readings.first else { throw RequestMistake("\(dissector.name) has no layout for this operation") }
    var text = TextBuffer()
    text.append(json: best, also: ContextFreeReading.alternatives(in: readings, as: access), of: dissector)
    return Array(text.bytes)
}

// MARK: The C interface

/// Texts up to the one that is missing.
func texts(_ array: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard let array = unsafe array else { return [] }
    var texts: [String] = []
    while let text = unsafe array[texts.count] { unsafe texts.append(String(cString: text)) }
    return texts
}

/// For `attlas_free`.
func copy(_ octets: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    guard let memory = unsafe malloc(octets.count + 1) else { return nil }
    let text = unsafe memory.bindMemory(to: UInt8.self, capacity: octets.count + 1)
    unsafe text.initialize(from: octets, count: octets.count)
    unsafe text[octets.count] = 0
    return unsafe memory.assumingMemoryBound(to: CChar.self)
}

/// attlas.h describes it.
@_cdecl("attlas_read_document")
public func readDocument(
    _ path: UnsafePointer<CChar>, _ document: UnsafePointer<CChar>, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
    _ goesOn: (@convention(c) (UnsafeMutableRawPointer?) -> CInt)?, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> UnsafeMutablePointer<CChar>? {
    PythonSignals.begin()
    let name = unsafe String(cString: document)
    let reason: String
    do {
        guard let document = Document(rawValue: name) else {
            let names = Document.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestMistake("there is no document \(name): the documents are \(names)")
        }
        let request = try unsafe CaptureRequest(path: String(cString: path), options: texts(options))
        let json = try document.write(request) { unsafe goesOn?(context) != 0 }
        if let json { return unsafe copy(json) }
        reason = RequestMistake.interruption.message
    } catch {
        reason = message(error)
    }
    unsafe error.pointee = copy(Array(reason.utf8))
    return nil
}

/// attlas.h describes it.
@_cdecl("attlas_dissect")
public func dissect(
    _ attribute: UnsafePointer<CChar>, _ value: UnsafePointer<UInt8>?, _ count: Int,
    _ operation: UnsafePointer<CChar>?, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> UnsafeMutablePointer<CChar>? {
    do throws(RequestMistake) {
        let request = try unsafe CaptureRequest(path: "", options: texts(options))
        let octets = unsafe Array(UnsafeBufferPointer(start: value, count: value == nil ? 0 : count))
        let json = try dissect(
            unsafe String(cString: attribute), octets, unsafe operation.map { unsafe String(cString: $0) },
            request.library)
        return unsafe copy(json)
    } catch let mistake {
        unsafe error.pointee = copy(Array(mistake.message.utf8))
        return nil
    }
}

/// attlas.h describes it.
@_cdecl("attlas_wide_columns")
public func wideColumns(
    _ characteristic: UnsafePointer<CChar>, _ options: UnsafePointer<UnsafePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> UnsafeMutablePointer<CChar>? {
    do throws(RequestMistake) {
        let request = try unsafe CaptureRequest(path: "", options: texts(options))
        let name = unsafe String(cString: characteristic)
        guard let uuid = BluetoothUUID(name) else { throw RequestMistake("\(name) is not a UUID") }
        var text = TextBuffer()
        text.append("[")
        for (index, column) in WideColumn.all(of: request.library.dissectors(for: uuid)).enumerated() {
            text.append(index == 0 ? "{\"path\":" : ",{\"path\":")
            text.append(jsonString: column.path)
            text.append(",\"kind\":")
            text.append(jsonString: column.kind.rawValue)
            text.append(column.isList ? ",\"list\":true" : ",\"list\":false")
            text.append(column.hasSpecials ? ",\"special\":true" : ",\"special\":false")
            text.append(",\"unit\":")
            if let unit = column.unit { text.append(jsonString: unit) } else { text.append("null") }
            text.append("}")
        }
        text.append("]")
        return unsafe copy(Array(text.bytes))
    } catch let mistake {
        unsafe error.pointee = copy(Array(mistake.message.utf8))
        return nil
    }
}

/// attlas.h describes it.
@_cdecl("attlas_free")
public func freeText(_ text: UnsafeMutablePointer<CChar>?) {
    unsafe free(text)
}
