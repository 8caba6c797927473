import AttlasTestSupport
import Testing

@testable import AttlasWire

@Suite struct HandleValueNotificationTests {
    @Test(arguments: ["", "06", "06 48 00"])
    func fields(value: String) throws {
        let octets = hex("1B 34 12" + value)
        let notification = try HandleValueNotification(octets.wire)
        expect(notification.attributeHandle, equals: 0x1234)
        expect(notification.attributeValue.copy(), equals: hex(value))
        expectNeed(3, of: octets) { _ = try HandleValueNotification($0) }
    }
}
