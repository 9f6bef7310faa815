// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// A documentation comment, in blocks: text, and the fields for parameters, results and errors.
struct DocComment {
    private enum Block {
        case text([String])
        /// `- Parameters:`, and the entries below it.
        case parameters(String, [(name: String, lines: [String])])
        /// `- Parameter name:`, `- Returns:`, `- Throws:`. The key is in lower case: "parameter id", "returns".
        case field(key: String, lines: [String])
    }

    private var blocks: [Block] = []

    /// Reads the comment in front of a declaration, or behind its first attributes.
    init(of declaration: some DeclSyntaxProtocol & WithAttributesSyntax & WithModifiersSyntax) {
        var trivia = Trivia()
        for token in declaration.tokens(viewMode: .sourceAccurate) {
            if case .leftParen = token.tokenKind, token.parent?.is(FunctionParameterClauseSyntax.self) == true { break }
            trivia += token.leadingTrivia
        }
        for line in Self.lines(trivia) { self.add(line) }
    }

    var isEmpty: Bool { self.blocks.isEmpty }

    // MARK: Reading

    /// The lines, without slashes and stars.
    private static func lines(_ trivia: Trivia) -> [String] {
        var lines: [String] = []
        for piece in trivia {
            switch piece {
            case .docLineComment(let text):
                let line = text.dropFirst(3)
                lines.append(line.hasPrefix(" ") ? String(line.dropFirst()) : String(line))
            case .docBlockComment(let text):
                lines += self.lines(ofBlock: text)
            default: break
            }
        }
        return lines
    }

    private static func lines(ofBlock text: String) -> [String] {
        let inner = text.dropFirst(3).dropLast(2)
        var lines = inner.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let rest = line.drop { $0 == " " || $0 == "\t" }
            return rest.first == "*" ? String(rest.dropFirst()) : String(line)
        }
        while lines.first?.isBlank == true { lines.removeFirst() }
        while lines.last?.isBlank == true { lines.removeLast() }
        let margin = lines.filter { !$0.isBlank }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }
    }

    private mutating func add(_ line: String) {
        let text = line.drop { $0 == " " }
        let indentation = line.count - text.count
        if case .parameters(let head, var entries)? = self.blocks.last, indentation >= 2 {
            if text.hasPrefix("- "), let colon = text.firstIndex(of: ":") {
                let name = text[text.index(text.startIndex, offsetBy: 2)..<colon]
                entries.append((String(name).trimmed, [line]))
            } else if !entries.isEmpty {
                entries[entries.count - 1].lines.append(line)
            }
            self.blocks[self.blocks.count - 1] = .parameters(head, entries)
        } else if let key = Self.key(of: text) {
            self.blocks.append(key == "parameters" ? .parameters(line, []) : .field(key: key, lines: [line]))
        } else if case .field(let key, let lines)? = self.blocks.last, indentation >= 2 {
            self.blocks[self.blocks.count - 1] = .field(key: key, lines: lines + [line])
        } else if case .text(let lines)? = self.blocks.last {
            self.blocks[self.blocks.count - 1] = .text(lines + [line])
        } else {
            self.blocks.append(.text([line]))
        }
    }

    private static func key(of text: Substring) -> String? {
        guard text.hasPrefix("- ") || text.hasPrefix("* "), let colon = text.firstIndex(of: ":") else { return nil }
        let key = text[text.index(text.startIndex, offsetBy: 2)..<colon].lowercased().trimmed
        let known = ["parameters", "returns", "throws"]
        return known.contains(key) || key.hasPrefix("parameter ") ? key : nil
    }

    // MARK: Changing

    mutating func removeParameter(_ name: String) {
        self.blocks = self.blocks.compactMap { block in
            switch block {
            case .field(key: "parameter " + name.lowercased(), lines: _): return nil
            case .parameters(let head, let entries):
                let rest = entries.filter { $0.name != name }
                return rest.isEmpty ? nil : .parameters(head, rest)
            case .text, .field: return block
            }
        }
    }

    mutating func removeField(_ key: String) {
        self.blocks.removeAll { block in
            if case .field(key, lines: _) = block { return true }
            return false
        }
    }

    func hasField(_ key: String) -> Bool {
        self.blocks.contains { block in
            if case .field(key, lines: _) = block { return true }
            return false
        }
    }

    mutating func addField(_ name: String, _ text: String) {
        if case .text(let lines)? = self.blocks.last, lines.last?.isBlank != true {
            self.blocks[self.blocks.count - 1] = .text(lines + [""])
        }
        self.blocks.append(.field(key: name.lowercased(), lines: ["- \(name): \(text)"]))
    }

    mutating func addParameter(_ name: String, _ text: String) {
        let last = self.blocks.lastIndex { block in
            if case .parameters = block { return true }
            return false
        }
        if let last, case .parameters(let head, let entries) = self.blocks[last] {
            self.blocks[last] = .parameters(head, entries + [(name, ["  - \(name): \(text)"])])
        } else {
            self.addField("Parameter \(name)", text)
        }
    }

    // MARK: Writing

    /// The lines of the comment, with slashes.
    var source: [String] {
        var lines = self.blocks.flatMap { block in
            switch block {
            case .text(let lines), .field(key: _, let lines): lines
            case .parameters(let head, let entries): [head] + entries.flatMap(\.lines)
            }
        }
        while lines.last?.isBlank == true { lines.removeLast() }
        return lines.map { $0.isBlank ? "///" : "/// " + $0 }
    }
}

extension StringProtocol {
    fileprivate var isBlank: Bool { self.allSatisfy(\.isWhitespace) }

    var trimmed: String {
        let start = self.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
#endif
