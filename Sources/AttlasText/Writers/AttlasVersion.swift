/// The version that every output names.
package enum AttlasVersion {
    package static let text: StaticString = "1.0.0"
}
