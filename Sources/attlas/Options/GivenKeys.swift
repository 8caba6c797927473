import AttlasImport
import AttlasInput
import CProcess

/// Keys stay in this process.
extension GivenKeys {
    /// The arguments after the name of the program. Other processes see no keys in them from here on.
    static func hidingArguments() -> [String] {
        if isInEnvironment { forbidDumps() }
        let arguments = CommandLine.arguments
        for (index, argument) in arguments.enumerated() {
            for kind in Kind.allCases {
                let option = "--\(kind.rawValue)"
                if argument == option {
                    SystemCalls.hideArgument(index + 1)
                } else if argument.hasPrefix(option + "=") {
                    SystemCalls.hideArgument(index, from: option.utf8.count + 1)
                } else {
                    continue
                }
                forbidDumps()
            }
        }
        return Array(arguments.dropFirst())
    }

    /// A crash leaves no keys in a file, and other processes of the user cannot read them in this one. prctl(2), PR_SET_DUMPABLE.
    static func forbidDumps() {
        SystemCalls.forbidCoreDumps()
        _ = attlas_forbid_dumps()
    }
}
