/// What is too little for a claim, or too much to look at.
package enum InferenceLimits {
    /// Values of a group below this number give no layout, nor do fewer distinct values.
    package static let fewest = 8
    /// Octets of a value that have fields.
    static let longest = 512
    /// Octets of a message whose check or format is looked for.
    static let longestMessage = 4_096
}
