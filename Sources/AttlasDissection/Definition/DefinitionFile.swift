/// What one file of definitions holds.
public struct DefinitionFile: Sendable {
    /// As messages name it.
    public var path: String
    public var services: [ServiceDefinition]
    public var attributes: [AttributeDefinition]

    package init(path: String, services: [ServiceDefinition], attributes: [AttributeDefinition]) {
        self.path = path
        self.services = services
        self.attributes = attributes
    }
}
