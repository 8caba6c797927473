import Foundation
import PackagePlugin

/// Compiles the pages of `Documentation/` into the command, for `attlas help PAGE`, in the order of the site's navigation.
@main struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Documentation")
        let output = context.pluginWorkDirectoryURL.appending(path: "ShippedPages.swift")
        let order = folder.appending(path: "site/mkdocs.yml")
        let navigation = try String(contentsOf: order, encoding: .utf8)
        let pages = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
            .map { (page: $0, place: navigation.range(of: "Documentation/\($0.lastPathComponent)")?.lowerBound) }
            .sorted {
                ($0.place ?? navigation.endIndex, $0.page.path()) < ($1.place ?? navigation.endIndex, $1.page.path())
            }
            .map(\.page)
        return [
            .buildCommand(
                displayName: "Embedding the pages",
                executable: try context.tool(named: "embed-pages").url,
                arguments: [output.path()] + pages.map { $0.path() },
                inputFiles: pages + [order],
                outputFiles: [output])
        ]
    }
}
