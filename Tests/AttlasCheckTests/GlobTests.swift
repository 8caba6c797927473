import AttlasTestSupport
import Testing

@testable import AttlasCheck

@Suite struct GlobTests {
    @Test(arguments: [
        ("att/mtu-too-small", "att/mtu-too-small", true), ("att/mtu", "att/mtu-too-small", false),
        ("att/*", "att/mtu-too-small", true), ("*", "att/mtu-too-small", false), ("**", "att/mtu-too-small", true),
        ("*/mtu-*", "att/mtu-too-small", true), ("a*a*a", "aaaa", true), ("a*b", "aaaa", false),
        ("lab/**", "lab/a/b.btsnoop", true), ("lab/*", "lab/a/b.btsnoop", false), ("**/b.*", "lab/a/b.btsnoop", true),
        ("a?c", "abc", true), ("a?c", "a/c", false), ("", "", true), ("*", "", true), ("?", "", false),
        ("", "a", false),
        ("é*", "éa", true), (String(repeating: "*a", count: 500) + "b", String(repeating: "a", count: 1_000), false),
    ])
    func matches(_ pattern: String, _ name: String, _ isMatch: Bool) {
        expect(Glob(text: pattern).matches(name), equals: isMatch)
    }
}
