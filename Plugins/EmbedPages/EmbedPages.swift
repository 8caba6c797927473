import Foundation
import PackagePlugin

/// Compiles into the command the pages of `Documentation/`, for `attlas help PAGE`, in the order of the site's navigation; into
/// AttlasPage, the fixed part of a report's page; into AttlasCapture, its readers of logs.
@main struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let folder = context.package.directoryURL
        let (name, files) =
            switch target.name {
            case "AttlasPage": ("the report's page", Self.page(folder))
            case "AttlasCapture": ("the readers of logs", try Self.readers(folder))
            default: ("the documentation", try Self.documentation(folder))
            }
        return [
            .buildCommand(
                displayName: "Embedding \(name)",
                executable: try context.tool(named: "embed-pages").url,
                arguments: [output.path()] + files.embedded.map { $0.path() },
                inputFiles: files.embedded + files.others,
                outputFiles: [output])
        ]
    }

    private static func page(_ folder: URL) -> (embedded: [URL], others: [URL]) {
        (["html", "css", "js"].map { folder.appending(path: "Sources/AttlasPage/report.\($0)") }, [])
    }

    private static func readers(_ folder: URL) throws -> (embedded: [URL], others: [URL]) {
        let folder = folder.appending(path: "Sources/AttlasCapture/Readers")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "yaml" }
        return (files.sorted { $0.path() < $1.path() }, [])
    }

    private static func documentation(_ folder: URL) throws -> (embedded: [URL], others: [URL]) {
        let folder = folder.appending(path: "Documentation")
        let order = folder.appending(path: "site/mkdocs.yml")
        let navigation = try String(contentsOf: order, encoding: .utf8)
        let pages = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .map { (page: $0, place: navigation.range(of: "Documentation/\($0.lastPathComponent)")?.lowerBound) }
            .sorted {
                ($0.place ?? navigation.endIndex, $0.page.path()) < ($1.place ?? navigation.endIndex, $1.page.path())
            }
            .map(\.page)
        return (pages, [order])
    }
}
