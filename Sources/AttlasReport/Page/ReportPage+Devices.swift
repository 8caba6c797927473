import AttlasMetrics
import AttlasTrace
import AttlasValues
import AttlasWire

/// Devices, and the GATT tree of each server.
extension ReportPage {
    private static let deviceLimit = 500

    mutating func writeDevices(_ model: ReportModel) {
        beginPart("devices")
        let devices = model.devices
        guard !(devices.devices.isEmpty && devices.strangers.isEmpty) else {
            html.markup("<p>No device advertised or connected in this capture.</p>")
            return endPart()
        }
        beginScrolling("Devices")
        html.headings(
            "Devices",
            [.text("Address"), .text("Type"), .text("Name"), .text("RSSI"), .text("Seen"), .text("Advertised")])
        for device in devices.devices.prefix(Self.deviceLimit) {
            html.markup("<tr>")
            html.markup("<td class=\"k\">")
            html.put { $0.append(device.address) }
            html.markup("</td>")
            html.element("td", device.address.kind.rawValue)
            putName(device.connectedName ?? device.data.name)
            html.element("td") { html in html.put { if let rssi = device.rssi { $0.append(rssi: rssi) } } }
            html.markup("<td class=\"w\">")
            html.put { $0.append(device, devices.start) }
            html.markup("</td>")
            html.markup("<td class=\"w\">")
            html.put { if options.showsValues { $0.append(device.data, values, showsName: false) } }
            html.markup("</td>")
            html.markup("</tr>\n")
        }
        for stranger in devices.strangers.prefix(Self.deviceLimit) {
            html.markup("<tr><td>not captured</td><td></td>")
            putName(stranger.name)
            html.markup("<td></td>")
            html.element("td") { html in html.put { $0.append(stranger, devices.start) } }
            html.markup("<td></td></tr>\n")
        }
        html.markup("</tbody></table>")
        endScrolling()
        let rest =
            devices.forgotten + max(0, devices.devices.count - Self.deviceLimit)
            + max(0, devices.strangers.count - Self.deviceLimit)
        if rest > 0 { putNote("\(rest) more devices are not on this page.") }
        endPart()
    }

    private mutating func putName(_ name: String?) {
        html.markup("<td><bdi>")
        html.put(name ?? "–")
        html.markup("</bdi></td>")
    }

    // MARK: Trees

    mutating func writeTrees(_ model: ReportModel) {
        beginPart("trees")
        let servers = model.tree.peers + model.tree.local
        if servers.isEmpty { html.markup("<p>No connection in this capture, so no GATT server was seen.</p>") }
        for server in servers { write(server, model.tree) }
        if model.tree.serversLeftOut > 0 {
            putNote("\(model.tree.serversLeftOut) more servers are not on this page.")
        }
        if model.tree.leftOut > 0 {
            putNote("\(model.tree.leftOut) operations on more attributes than attlas keeps are not counted.")
        }
        endPart()
    }

    private mutating func write(_ server: TreeModel.Server, _ model: TreeModel) {
        html.markup("<details class=\"tree\" open><summary><bdi>")
        html.put { $0.append(titleOf: server) }
        html.markup("</bdi></summary>")
        let tree = server.tree
        if tree.services.isEmpty && tree.unknownHandles.isEmpty {
            html.markup("<p>Nothing discovered and nothing accessed.</p>")
        }
        html.markup("<ul>")
        for node in tree.services { write(node, server, model) }
        if !tree.unknownHandles.isEmpty {
            html.markup("<li><span class=\"bad\">unknown: used, and not explained by this capture</span><ul>")
            for handle in tree.unknownHandles { writeItem(handle, server) { _ in } }
            html.markup("</ul></li>")
        }
        html.markup("</ul></details>\n")
    }

    private mutating func write(_ node: TableTree.ServiceNode, _ server: TreeModel.Server, _ model: TreeModel) {
        html.markup("<li>")
        if let service = node.service {
            html.markup("<span class=\"handle\">")
            html.put { $0.append(service.handle, service.endHandle) }
            html.markup("</span> <strong>")
            putName(service.uuid, .service, model)
            html.markup("</strong>")
            if service.isPrimary == false { html.markup(" secondary") }
            putProvenance(service.learned)
        } else {
            html.markup("<span class=\"faint\">service not discovered</span>")
        }
        html.markup("<ul>")
        for include in node.includes {
            writeItem(include.handle, server) { page in
                page.html.markup("includes ")
                page.html.put { $0.append(include.includedHandle, include.endHandle) }
                if let uuid = include.uuid {
                    page.html.markup(" ")
                    page.putName(uuid, .service, model)
                }
            }
        }
        for item in node.characteristics {
            let characteristic = item.characteristic
            writeItem(characteristic.valueHandle, server, closes: false) { page in
                page.html.markup("<strong>")
                page.putName(characteristic.uuid, .characteristic, model)
                page.html.markup("</strong> <span class=\"faint\">")
                page.html.put(
                    CharacteristicProperties.names.filter { characteristic.properties.contains($0.0) }
                        .map { "\($0.1)" }.joined(separator: ", "))
                page.html.markup("</span>")
                page.putProvenance(characteristic.learned)
            }
            if !item.descriptors.isEmpty { html.markup("<ul>") }
            for descriptor in item.descriptors {
                writeItem(descriptor.handle, server) { page in
                    page.putName(descriptor.uuid, .descriptor, model)
                    page.putProvenance(descriptor.learned)
                }
            }
            if !item.descriptors.isEmpty { html.markup("</ul>") }
            html.markup("</li>")
        }
        for attribute in node.others {
            writeItem(attribute.handle, server) { page in
                page.putName(attribute.uuid, attribute.isValue ? .characteristic : .descriptor, model)
                page.putProvenance(attribute.learned)
            }
        }
        html.markup("</ul></li>")
    }

    /// The handle, what it is, its last value and how often values passed.
    private mutating func writeItem(
        _ handle: AttributeHandle, _ server: TreeModel.Server, closes: Bool = true, _ write: (inout ReportPage) -> Void
    ) {
        html.markup("<li><span class=\"handle\">0x")
        html.put { $0.append(hex: handle, digits: 4, uppercase: true) }
        html.markup("</span> ")
        write(&self)
        if let activity = server.activities[handle] {
            if let value = activity.lastValue, options.showsValues {
                html.markup(" <span class=\"value\">")
                html.put { piece in
                    if let reading = server.readings[handle] {
                        piece.append(reading)
                    } else {
                        piece.append(octets: Bytes(value.span), limit: 20)
                    }
                    piece.append(activity.lastEnding)
                }
                html.markup("</span>")
            }
            html.markup(" <span class=\"faint\">")
            if activity.isAccessed { html.put { $0.append(countsOf: activity) } }
            if let frame = activity.subscribedFrame {
                html.markup(activity.configuration == 0 ? " · unsubscribed in frame " : " · subscribed in frame ")
                putFrame(frame)
            }
            html.markup("</span>")
        }
        if closes { html.markup("</li>") }
    }

    private mutating func putName(_ uuid: UUIDIndex, _ kind: NameKind, _ model: TreeModel) {
        if let name = model.names.knownName(uuid, kind) {
            html.put(name)
            html.markup(" ")
        }
        html.markup("<code>")
        html.put { $0.append(model.names[uuid]) }
        html.markup("</code>")
    }

    /// Where it is known from.
    private mutating func putProvenance(_ learned: AttributeTable.Learned) {
        html.markup(" <span class=\"known\">")
        if let inference = learned.inference {
            html.markup("inferred: ")
            html.put(inference.rawValue)
        } else if learned.isImported {
            html.markup("imported")
        } else {
            html.markup("frame ")
            putFrame(learned.frame)
        }
        html.markup("</span>")
    }
}

extension TextBuffer {
    /// `HRM-7 F2:F2:F2:F2:F2:F2 · MTU 247 · discovered in frames 74–118`
    mutating func append(titleOf server: TreeModel.Server) {
        if server.isHeard {
            append("The central")
        } else if server.controller != nil {
            append("This host")
        } else {
            append(display: server.name ?? "Unnamed peer")
        }
        if let address = server.address {
            append(" ")
            append(address)
        }
        if !server.isHeard, let controller = server.controller {
            append(" controller ")
            append(decimal: controller)
        }
        if let mtu = server.mtu {
            append(server.isMTUKnown ? " · MTU " : " · MTU at least ")
            append(decimal: mtu)
        }
        append(learned: server.tree)
    }
}
