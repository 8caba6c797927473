import AttlasWire

extension Compiler {
    mutating func compile(_ field: FieldDefinition, depth: Int, scope: inout Scope) throws(CompileMistake) {
        // Used definitions are inlined: for one field, how that is read and shown; for more, a structure.
        if case .use(let uuid) = field.type {
            return try compile(resolve(field, using: uuid, depth: depth), isolated: true, depth: depth, scope: &scope)
        }
        try compile(field, isolated: false, depth: depth, scope: &scope)
    }

    private mutating func compile(
        _ field: FieldDefinition, isolated: Bool, depth: Int, scope: inout Scope
    ) throws(CompileMistake) {
        let loop = try openLoop(field, depth: depth, scope: scope)
        if loop != nil {
            for name in Self.keptNames(field.elements) where scope.kept[name] == nil {
                scope.keep(name, register: registerCount)
                registerCount += 1
            }
        }
        let firstRegister = registerCount
        if field.type == .structure {
            try compileStructure(field, isolated: isolated, depth: depth, scope: &scope)
        } else {
            try compileScalar(field, depth: depth, scope: &scope)
        }
        guard let loop else { return }
        operations[loop + 1].a = UInt64(firstRegister)
        operations[loop + 1].b = UInt64(registerCount)
        var next = Operation(operations[loop].code == .repeatToMarker ? .nextBeforeMarker : .next)
        next.field = operations[loop].field
        next.target = UInt16(loop + 1)
        try emit(next, at: field.position)
        operations[loop].target = UInt16(operations.count)
    }

    /// Those of the fields of a structure, at any depth.
    private static func keptNames(_ elements: [Element]) -> [String] {
        elements.flatMap { element in
            switch element {
            case .field(let field): (field.keptName.map { [$0] } ?? []) + keptNames(field.elements)
            case .choice(let branches): branches.flatMap { keptNames($0.elements) }
            }
        }
    }

    private mutating func openLoop(
        _ field: FieldDefinition, depth: Int, scope: Scope
    ) throws(CompileMistake) -> Int? {
        var operation: Operation
        switch field.repetition {
        case .once: return nil
        case .toEnd: operation = Operation(.repeatToEnd)
        case .toMarker: operation = Operation(.repeatToMarker)
        case .count(let source):
            operation = Operation(.repeatCount)
            operation.a = try compileSize(source, scope: scope).packed
        }
        operation.field = UInt16(fields.count)
        operation.depth = UInt8(depth)
        try emit(operation, at: field.position)
        try emit(Operation(.clear), at: field.position)
        return operations.count - 2
    }

    private mutating func compileStructure(
        _ field: FieldDefinition, isolated: Bool, depth: Int, scope: inout Scope
    ) throws(CompileMistake) {
        let (index, _) = try add(field, depth: depth, scope: &scope)
        var begin = Operation(.begin)
        begin.depth = UInt8(depth)
        begin.field = UInt16(index)
        begin.b = try compileSize(field.size, scope: scope).packed
        begin.octets = field.size == nil ? 0 : 1
        try emit(begin, at: field.position)
        var inner = isolated ? Scope() : Scope(inside: scope)
        try compile(field.elements, depth: depth + 1, scope: &inner)
        var end = Operation(.end)
        end.depth = UInt8(depth)
        try emit(end, at: field.position)
        if let summary = field.summary {
            var parser = SummaryParser(summary, scope: inner)
            summaries[index] = try parser.parse()
        }
    }

    private mutating func compileScalar(
        _ field: FieldDefinition, depth: Int, scope: inout Scope
    ) throws(CompileMistake) {
        let size = try compileSize(field.size, scope: scope)
        let computed = try field.computed.map { (source) throws(CompileMistake) in
            try compileExpression(source, scope: scope)
        }
        if let asked = field.outcome?.asked, scope.symbols[asked] == nil {
            throw CompileMistake(
                position: field.position,
                message: "\"asked\": no field \"\(asked)\" is read before this"
                    + NearestWord.suggestion(for: asked, among: scope.symbols.keys))
        }
        let (index, register) = try add(field, depth: depth, scope: &scope)
        var operation = Operation(computed == nil ? field.code : .compute)
        operation.depth = UInt8(depth)
        operation.field = UInt16(index)
        operation.register = register
        operation.octets = UInt8(field.type.octets ?? 0)
        operation.hasSpecials = !field.specials.isEmpty
        operation.isBigEndian = field.isBigEndian
        operation.hasCheck = field.check != nil || field.constant != nil
        if let named = field.check?.fields { checked[index] = try checkedFields(named, field, scope) }
        if field.type.isNumberInText {
            operation.b = size.packed
        } else if field.type.isInteger {
            operation.a = field.unnamedBits
            operation.b = UInt64(computed ?? 0)
        } else {
            operation.b = size.packed
        }
        try emit(operation, at: field.position)
        try emitRange(of: field)
    }

    private func checkedFields(
        _ names: Checksum.Fields, _ field: FieldDefinition, _ scope: Scope
    ) throws(CompileMistake) -> CheckedFields {
        func fields(_ name: String) throws(CompileMistake) -> [UInt16] {
            if let fields = scope.fields[name], name != field.name { return fields }
            throw CompileMistake(
                position: field.position,
                message: "\"\(field.name)\": no field \"\(name)\" is read before this in its structure"
                    + NearestWord.suggestion(for: name, among: scope.fields.keys.filter { $0 != field.name }))
        }
        return CheckedFields(
            first: try fields(names.first),
            last: try fields(names.last).map { ($0, self.fields[Int($0)].marker?.octets.count ?? 0) })
    }

    private mutating func emitRange(of field: FieldDefinition) throws(CompileMistake) {
        guard let permitted = field.permitted else { return }
        var operation = Operation(.permit)
        operation.a = UInt64(bitPattern: permitted.lowerBound)
        operation.b = UInt64(bitPattern: permitted.upperBound)
        try emit(operation, at: field.position)
    }

    // MARK: Fields that share octets

    /// The fields that fill whole octets together, from the first of `elements` on.
    func sharedGroup(_ elements: ArraySlice<Element>) throws(CompileMistake) -> [FieldDefinition] {
        var group: [FieldDefinition] = []
        var bits = 0
        for element in elements {
            guard case .field(let field) = element, let width = field.type.bitWidth, bits + width <= 64 else { break }
            guard !field.isRepeated else {
                throw CompileMistake(position: field.position, message: "a field of \(width) bits cannot be repeated")
            }
            guard group.isEmpty || field.isBigEndian == group[0].isBigEndian else {
                throw CompileMistake(position: field.position, message: "fields that share octets have one order")
            }
            group.append(field)
            bits += width
            if bits.isMultiple(of: 8) { return group }
        }
        throw CompileMistake(
            position: group.first?.position ?? .none,
            message:
                "fields of \(bits) bits do not fill octets; those in a row without \"if\" share them, and up to 64 "
                + "bits must add up to a multiple of 8")
    }

    mutating func compileShared(
        _ group: [FieldDefinition], depth: Int, scope: inout Scope
    ) throws(CompileMistake) {
        let octets = group.reduce(0) { $0 + ($1.type.bitWidth ?? 0) } / 8
        // The first field has the least significant bits, or in big-endian order the most significant ones.
        var shift = group[0].isBigEndian ? octets * 8 : 0
        for (position, field) in group.enumerated() {
            let width = field.type.bitWidth ?? 0
            if field.isBigEndian { shift -= width }
            let (index, register) = try add(field, depth: depth, scope: &scope)
            var operation = Operation(.shared)
            operation.depth = UInt8(depth)
            operation.field = UInt16(index)
            operation.register = register
            operation.octets = UInt8(octets)
            operation.hasSpecials = !field.specials.isEmpty
            operation.a = field.unnamedBits
            let isSigned = if case .signed = field.type { true } else { false }
            operation.b =
                SharedPiece(shift: shift, width: width, isSigned: isSigned, isLast: position == group.count - 1).packed
            operation.isBigEndian = field.isBigEndian
            try emit(operation, at: field.position)
            try emitRange(of: field)
            if !field.isBigEndian { shift += width }
        }
    }

    // MARK: Other definitions

    private func resolve(
        _ field: FieldDefinition, using uuid: BluetoothUUID, depth: Int
    ) throws(CompileMistake) -> FieldDefinition {
        guard let used = definition(uuid), let layout = used.layouts.first, used.layouts.count == 1 else {
            throw CompileMistake(
                position: field.position, message: "there is no definition of \(uuid) with one layout to use")
        }
        let resolved = field.laidOut(as: layout)
        guard case .use(let next) = resolved.type else { return resolved }
        guard depth < Self.depthLimit else {
            throw CompileMistake(position: field.position, message: "nested more than \(Self.depthLimit) deep")
        }
        return try resolve(resolved, using: next, depth: depth + 1)
    }
}

extension FieldDefinition {
    /// For one field, how that is read and shown; for more, a structure.
    package func laidOut(as layout: Layout) -> FieldDefinition {
        if layout.elements.count == 1, case .field(var single) = layout.elements[0], !single.isRepeated {
            single.name = name
            single.repetition = repetition
            single.position = position
            single.unit = unit ?? single.unit
            single.outcome = outcome ?? single.outcome
            return single
        }
        var field = self
        field.type = .structure
        field.elements = layout.elements
        field.summary = summary ?? layout.summary
        return field
    }

    fileprivate var code: Operation.Code {
        marker != nil && type.isText ? .marked : type.code
    }

    /// The bits of a field of flags without a name, and those next to a connection handle.
    var unnamedBits: UInt64 {
        if type == .connectionHandle { return 0xF000 }
        guard !bits.isEmpty, let width = type.bitWidth else { return 0 }
        return bits.reduce(UInt64.max >> UInt64(64 - width)) { $0 & ~$1.mask }
    }
}

extension FieldType {
    fileprivate var code: Operation.Code {
        switch self {
        case .unsigned, .uuid16, .address, .handle, .connectionHandle, .timeExponential8: .unsigned
        case .signed, .powerOfTwo64: .signed
        case .varint: .varint
        case .medfloat16: .medfloat16
        case .medfloat32: .medfloat32
        case .float32: .float32
        case .float64: .float64
        case .utf8, .bytes, .advertisingData, .secret: .octets
        case .utf8z: .terminated
        case .uuid: .uuid
        case .coded(.decimalDigits): .decimalDigits
        case .coded(.signMagnitude): .signMagnitude
        case .coded(.zigzag): .zigzag
        case .coded(.decimalText): .decimalText
        case .coded(.hexadecimalText): .hexadecimalText
        case .structure, .use: .begin
        }
    }
}
