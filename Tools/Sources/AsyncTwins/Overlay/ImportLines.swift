// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// The imports that a file with twins takes over from the file of their originals.
enum ImportLines {
    /// The imports of a file, in source form, each with the `#if` around it.
    static func all(in tree: SourceFileSyntax) -> [String] { texts(tree.statements) }

    private static func texts(_ items: CodeBlockItemListSyntax) -> [String] {
        items.compactMap { item in
            if let declaration = item.item.as(ImportDeclSyntax.self) { return text(declaration) }
            guard let condition = item.item.as(IfConfigDeclSyntax.self) else { return nil }
            return text(condition)
        }
    }

    /// One import: another file need not export what it imports.
    private static func text(_ declaration: ImportDeclSyntax) -> String {
        var declaration = declaration
        declaration.attributes = declaration.attributes.filter { attribute in
            guard case .attribute(let attribute) = attribute else { return true }
            return attribute.attributeName.trimmedDescription != "_exported"
        }
        return declaration.trimmed.tokens(viewMode: .sourceAccurate).map(\.text).joined(separator: " ")
            .replacing(" . ", with: ".").replacing("@ ", with: "@").replacing(" ( ", with: "(")
            .replacing(" )", with: ")")
    }

    /// What a line imports, without its access: of two lines that import the same, one is enough.
    ///
    /// Imports in `#if` must be the same in all.
    static func module(of line: String) -> String {
        guard !line.contains("\n"), let name = line.split(separator: " import ", maxSplits: 1).last else { return line }
        return name.hasPrefix("import ") ? String(name.dropFirst("import ".count)) : String(name)
    }

    /// The line without `public` or `package`, if it is an import of one of these modules with one of them.
    static func lowered(_ line: Substring, _ modules: Set<String>) -> Substring {
        guard let access = ["public ", "package "].first(where: { line.contains("\($0)import ") }),
            modules.contains(module(of: String(line)))
        else { return line }
        return Substring(line.replacing(access, with: "", maxReplacements: 1))
    }

    /// The clauses that import something; `nil` if none does.
    private static func text(_ condition: IfConfigDeclSyntax) -> String? {
        var lines: [String] = []
        var hasImports = false
        for clause in condition.clauses {
            let head = [clause.poundKeyword.text, clause.condition?.trimmedDescription].compactMap(\.self)
            lines.append(head.joined(separator: " "))
            guard case .statements(let items)? = clause.elements else { continue }
            let imports = texts(items)
            hasImports = hasImports || !imports.isEmpty
            lines += imports
        }
        return hasImports ? (lines + ["#endif"]).joined(separator: "\n") : nil
    }
}
