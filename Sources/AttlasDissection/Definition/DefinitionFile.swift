/// The contents of one definition file.
public struct DefinitionFile: Sendable {
    /// Its name in messages.
    public var path: String
    public var services: [ServiceDefinition]
    public var attributes: [AttributeDefinition]

    package init(path: String, services: [ServiceDefinition], attributes: [AttributeDefinition]) {
        self.path = path
        self.services = services
        self.attributes = attributes
    }
}
