import AttlasWire

/// The contents of one definition file.
package struct DefinitionFile: Sendable {
    /// Its name in messages.
    package var path: String
    package var services: [ServiceDefinition]
    package var attributes: [AttributeDefinition]

    package init(path: String, services: [ServiceDefinition], attributes: [AttributeDefinition]) {
        self.path = path
        self.services = services
        self.attributes = attributes
    }

    /// Its definition of an attribute.
    package func definition(of uuid: BluetoothUUID) -> AttributeDefinition? {
        attributes.first { $0.key == .attribute(uuid) }
    }
}
