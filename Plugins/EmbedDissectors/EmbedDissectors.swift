import Foundation
import PackagePlugin

/// Compiles `Dissectors/` into the target that uses this plugin. A mistake in a definition stops the build where it stands.
@main struct EmbedDissectors: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Dissectors")
        let output = context.pluginWorkDirectoryURL.appending(path: "ShippedDissectors.swift")
        // A file that comes or goes must run the tool as well as one that changes.
        let inputs = try files(below: folder)
        return [
            .buildCommand(
                displayName: "Embedding the dissectors",
                executable: try context.tool(named: "embed-dissectors").url,
                arguments: [folder.path(), output.path()],
                inputFiles: inputs,
                outputFiles: [output])
        ]
    }

    private func files(below folder: URL) throws -> [URL] {
        let enumerator = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        return (enumerator?.compactMap { $0 as? URL } ?? [])
            .filter { ["yaml", "yml", "tsv"].contains($0.pathExtension) }
            .sorted { $0.path() < $1.path() }
    }
}
