import Foundation
import PackagePlugin

/// Generates types in a client's target from the definition files (.yaml) in it. What cannot be generated stops the build at its line.
@main struct GenerateCodecs: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let files = target.sourceModule?.sourceFiles.map(\.url).filter({ $0.pathExtension == "yaml" }),
            !files.isEmpty
        else { return [] }
        let output = context.pluginWorkDirectoryURL.appending(path: "GeneratedCodecs.swift")
        return [
            .buildCommand(
                displayName: "Generating codecs",
                executable: try context.tool(named: "generate-codecs").url,
                arguments: [target.name, output.path()] + files.map { $0.path() },
                inputFiles: files,
                outputFiles: [output])
        ]
    }
}
