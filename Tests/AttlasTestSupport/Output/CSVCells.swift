/// The cells of a table, row by row. RFC 4180.
package func cells(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var wasQuote = false
    for character in text {
        switch character {
        case "\"":
            if wasQuote { cell.append(character) }
            wasQuote = isQuoted && !wasQuote
            if !isQuoted { (isQuoted, wasQuote) = (true, false) }
        case "," where !isQuoted || wasQuote, "\n" where !isQuoted || wasQuote:
            row.append(cell)
            (cell, isQuoted, wasQuote) = ("", false, false)
            if character == "\n" {
                rows.append(row)
                row = []
            }
        default: cell.append(character)
        }
    }
    return rows
}
