import AttlasTables
import AttlasText

/// Writes one table as a stream of Arrow: its schema, batches of rows, and an end.
///
/// A batch has the words of its columns before it. They begin with those of the batch before, as long as there are few.
package struct ArrowStream: Sendable {
    package private(set) var output: Output
    private var text = TextBuffer()

    package init(_ table: Table, to output: Output) {
        self.output = output
        text.append(contentsOf: ArrowMessage.schema(table))
    }

    package mutating func write(_ batch: ArrowBatch) {
        var body = BodyLayout(rows: batch.rows)
        for (number, column) in batch.columns.enumerated() {
            if column.kind == .word { write(column.words, of: number) }
            body.addColumn(missing: column.nullCount)
            body.addBuffer(column.nullCount > 0 ? column.validity.count : 0)
            switch column.kind {
            case .integer, .time, .duration, .real: body.addBuffer(column.numbers.count * 8)
            case .boolean: body.addBuffer(column.bits.count)
            case .word: body.addBuffer(column.indices.count * 4)
            case .text, .octets:
                body.addBuffer(column.offsets.count * 4)
                body.addBuffer(column.octets.count)
            }
        }
        text.append(contentsOf: ArrowMessage.rows(body))
        for column in batch.columns {
            if column.nullCount > 0 { append(column.validity.span) }
            switch column.kind {
            case .integer, .time, .duration, .real: append(column.numbers.span)
            case .boolean: append(column.bits.span)
            case .word: append(column.indices.span)
            case .text, .octets:
                append(column.offsets.span)
                append(column.octets.span)
            }
        }
        // Readers of a pipe get complete rows.
        output.write(&text)
    }

    private mutating func write(_ words: WordList, of column: Int) {
        var body = BodyLayout(rows: words.count)
        body.addColumn(missing: 0)
        body.addBuffer(0)
        body.addBuffer(words.offsets.count * 4)
        body.addBuffer(words.octets.count)
        text.append(contentsOf: ArrowMessage.dictionary(column, body))
        append(words.offsets.span)
        append(words.octets.span)
    }

    private mutating func append(_ elements: Span<some BitwiseCopyable>) {
        let before = text.count
        text.append(memoryOf: elements)
        text.append(repeating: 0, count: BodyLayout.padding(text.count - before))
        output.drain(&text)
    }

    package mutating func finish() {
        text.append(contentsOf: ArrowMessage.end)
        output.write(&text)
    }
}
