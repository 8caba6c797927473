import AttlasDocuments
import AttlasInference
import AttlasMetrics
import AttlasText
import AttlasTrace
import AttlasValues
import AttlasWire

/// Devices, and the GATT tree of each server.
extension ReportPage {
    private static let deviceLimit = 500

    mutating func writeDevices(_ model: ReportModel) {
        beginPart("devices")
        let devices = model.devices
        guard !(devices.devices.isEmpty && devices.devicesWithoutAddress.isEmpty) else {
            html.markup("<p>No device advertised or connected in this capture.</p>")
            return endPart()
        }
        putRangeNote(
            of: "tr",
            " devices were seen within the range, or both before and after it. Figures cover the whole capture."
        )
        beginScrolling("List of devices", isTall: true)
        html.headings(
            "Devices",
            [.text("Address"), .text("Type"), .text("Name"), .text("RSSI"), .text("Seen"), .text("Advertised")])
        for device in devices.devices.prefix(Self.deviceLimit) {
            let seen = SeenTimes(device.firstSeen).joined(with: SeenTimes(device.lastSeen))
            writeRow(seen, isConnected: device.isConnected, model)
            html.element("td", "k") { $0.put { $0.append(device.address) } }
            html.element("td", device.address.kind.rawValue)
            putName(device.connectedName ?? device.data.name)
            html.element("td") { html in html.put { if let rssi = device.rssi { $0.append(rssi: rssi) } } }
            html.element("td", "w") { $0.put { $0.append(device, devices.start) } }
            html.element("td", "w") {
                $0.put { if options.showsValues { $0.append(device.data, values, showsName: false) } }
            }
            html.markup("</tr>\n")
        }
        for stranger in devices.devicesWithoutAddress.prefix(Self.deviceLimit) {
            let seen = SeenTimes(stranger.firstSeen).joined(with: SeenTimes(stranger.lastSeen))
            writeRow(seen, isConnected: stranger.isConnected, model)
            html.markup("<td>address unknown</td><td></td>")
            putName(stranger.name ?? unknownPeer)
            html.markup("<td></td>")
            html.element("td") { html in html.put { $0.append(stranger, devices.start) } }
            html.markup("<td></td></tr>\n")
        }
        html.markup("</tbody></table>")
        endScrolling()
        let rest =
            devices.forgotten + max(0, devices.devices.count - Self.deviceLimit)
            + max(0, devices.devicesWithoutAddress.count - Self.deviceLimit)
        if rest > 0 { putNote("\(rest) more devices are not on this page.") }
        endPart()
    }

    /// The beginning of a row. A device that is connected at the end of the capture is present until then.
    private mutating func writeRow(_ seen: SeenTimes, isConnected: Bool, _ model: ReportModel) {
        html.markup("<tr")
        putTimes(isConnected ? seen.joined(with: model.integrity.extent.last.map { SeenTimes($0) }) : seen, model)
        html.markup(">")
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
        if !servers.isEmpty {
            putRangeNote(
                of: "li",
                " services and attributes were discovered or used within the range, or both before and after it. Values and counts are not of the range alone."
            )
        }
        for server in servers { write(server, model) }
        if options.showsValues { writeUnknownValues(model.unknownValues) }
        if model.tree.serversLeftOut > 0 {
            putNote("\(model.tree.serversLeftOut) more servers are not on this page.")
        }
        if model.tree.leftOut > 0 {
            putNote("\(model.tree.leftOut) operations on more attributes than attlas keeps are not counted.")
        }
        endPart()
    }

    private mutating func writeUnknownValues(_ values: ValuesModel) {
        var text = ValuesText(values, width: 100, isColoured: false)
        for characteristic in values.characteristics where characteristic.values.count >= InferenceLimits.fewest {
            html.markup("<details class=\"folded\"><summary>")
            html.put(characteristic.values.source.description)
            html.markup(" <span class=\"handle\">")
            if case .characteristic(_, let handle) = characteristic.values.source {
                html.put { $0.append("\(hex: handle)") }
            }
            html.markup("</span>: ")
            html.put { $0.append("\(characteristic.values.count, "value"), octet by octet") }
            html.markup("</summary><pre>")
            for line in text.lines(of: characteristic) {
                html.put(String(line))
                html.markup("\n")
            }
            html.markup("</pre></details>\n")
        }
        if values.leftOut > 0 {
            putNote("\(values.leftOut) more values of unknown characteristics are not in these tables.")
        }
    }

    private mutating func write(_ server: TreeModel.Server, _ model: ReportModel) {
        html.markup("<details class=\"tree\"")
        putTimes(server.times, model)
        html.markup(" open><summary><bdi>")
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
            for handle in tree.unknownHandles {
                writeItem(handle, server, server.times(of: handle, nil), model) { _ in }
            }
            html.markup("</ul></li>")
        }
        for former in server.former {
            html.markup("<li><strong>until frame ")
            putFrame(former.until)
            html.put(", then \(former.reason.rawValue):")
            html.markup("</strong><ul>")
            let then = server.with(former)
            for node in former.tree.services { write(node, then, model) }
            html.markup("</ul></li>")
        }
        html.markup("</ul></details>\n")
    }

    private mutating func write(_ node: TableTree.ServiceNode, _ server: TreeModel.Server, _ model: ReportModel) {
        html.markup("<li")
        putTimes(server.times(of: node), model)
        html.markup(">")
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
            writeItem(include.handle, server, server.times(of: include.handle, include.learned), model) { page in
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
            writeItem(characteristic.valueHandle, server, server.times(of: item), model, closes: false) { page in
                page.html.markup("<strong>")
                page.putName(characteristic.uuid, .characteristic, model)
                page.html.markup("</strong> <span class=\"faint\">")
                page.html.put { $0.append(characteristic.properties) }
                page.html.markup("</span>")
                page.putProvenance(characteristic.learned)
            }
            if !item.descriptors.isEmpty { html.markup("<ul>") }
            for descriptor in item.descriptors {
                let times = server.times(of: descriptor.handle, descriptor.learned)
                writeItem(descriptor.handle, server, times, model) { page in
                    page.putName(descriptor.uuid, .descriptor, model)
                    page.putProvenance(descriptor.learned)
                }
            }
            if !item.descriptors.isEmpty { html.markup("</ul>") }
            html.markup("</li>")
        }
        for attribute in node.others {
            writeItem(attribute.handle, server, server.times(of: attribute.handle, attribute.learned), model) { page in
                page.putName(attribute.uuid, attribute.isValue ? .characteristic : .descriptor, model)
                page.putProvenance(attribute.learned)
            }
        }
        html.markup("</ul></li>")
    }

    /// The handle, its attribute, its last value and the number of values.
    private mutating func writeItem(
        _ handle: AttributeHandle, _ server: TreeModel.Server, _ times: SeenTimes?, _ model: ReportModel,
        closes: Bool = true, _ write: (inout ReportPage) -> Void
    ) {
        html.markup("<li")
        putTimes(times, model)
        html.markup("><span class=\"handle\">")
        html.put { $0.append("\(hex: handle)") }
        html.markup("</span> ")
        write(&self)
        if let activity = server.activities[handle] {
            if let value = server.values[handle], options.showsValues {
                html.markup(" <span class=\"value\">")
                html.put { piece in
                    piece.append(value, limit: 20)
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

    private mutating func putName(_ uuid: UUIDIndex, _ kind: NameKind, _ model: ReportModel) {
        if let name = model.tree.names.knownName(uuid, kind) {
            html.put(name)
            html.markup(" ")
        }
        html.element("code") { $0.put { $0.append(model.tree.names[uuid]) } }
        if kind == .service, let assignee = model.tree.names.assignee(uuid) {
            html.markup(" <span class=\"faint\">assigned to ")
            html.put(assignee)
            html.markup("</span>")
        }
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

extension TreeModel.Server {
    /// From the discovery of everything in it to the last use; nil where that is unknown, as for attributes imported but not used.
    fileprivate var times: SeenTimes? {
        covering(tree.services.map(times(of:)) + tree.unknownHandles.map { times(of: $0, nil) })
    }

    fileprivate func times(of handle: AttributeHandle, _ learned: AttributeTable.Learned?) -> SeenTimes? {
        let uses = activities[handle]?.uses
        guard let learned, !learned.isImported else { return uses }
        return SeenTimes(learned.time).joined(with: uses)
    }

    fileprivate func times(of item: TableTree.CharacteristicNode) -> SeenTimes? {
        covering(
            [times(of: item.characteristic.valueHandle, item.characteristic.learned)]
                + item.descriptors.map { times(of: $0.handle, $0.learned) })
    }

    fileprivate func times(of node: TableTree.ServiceNode) -> SeenTimes? {
        covering(
            (node.service.map { [times(of: $0.handle, $0.learned)] } ?? [])
                + node.includes.map { times(of: $0.handle, $0.learned) } + node.characteristics.map(times(of:))
                + node.others.map { times(of: $0.handle, $0.learned) })
    }

    private func covering(_ parts: [SeenTimes?]) -> SeenTimes? {
        let known = parts.compactMap(\.self)
        guard known.count == parts.count, let first = known.first else { return nil }
        return known.reduce(first) { $0.joined(with: $1) }
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
            append(name: server.name, server.address)
        }
        if server.isHeard || server.controller != nil, let address = server.address {
            append(" ")
            append(address)
        }
        if !server.isHeard, let controller = server.controller {
            append(" controller \(controller)")
        }
        if let mtu = server.mtu {
            if server.isMTUKnown {
                append(" · MTU ")
                append(mtu: mtu)
            } else {
                append(" · MTU at least \(mtu)")
            }
        }
        append(learned: server.tree)
    }
}
