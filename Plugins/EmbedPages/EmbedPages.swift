import Foundation
import PackagePlugin

/// Compiles the pages of `Documentation/` into the command, for `attlas help PAGE`.
@main struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Documentation")
        let output = context.pluginWorkDirectoryURL.appending(path: "ShippedPages.swift")
        let pages = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }.sorted { $0.path() < $1.path() }
        return [
            .buildCommand(
                displayName: "Embedding the pages",
                executable: try context.tool(named: "embed-pages").url,
                arguments: [output.path()] + pages.map { $0.path() },
                inputFiles: pages,
                outputFiles: [output])
        ]
    }
}
