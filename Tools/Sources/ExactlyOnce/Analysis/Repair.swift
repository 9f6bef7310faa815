// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Fixes that a file certainly is better with.
///
/// A fix is looked at as a whole: it stays only if the file can still be parsed, its finding is gone, and no other one
/// came. What names and conditions hide from the fix's author, the rules see.
package struct Repair {
    private let file: SourceFile
    private let nesting: Int?
    private let check: (SourceFile) -> [Finding]
    private let before: [Key: Int]
    private var accepted: [Finding] = []
    /// The text with what has been accepted.
    package private(set) var text: [UInt8]
    /// How many fixes it has.
    package var applied: Int { accepted.count }

    /// What a finding says, wherever it is.
    private struct Key: Hashable {
        var rule: String
        var level: Level
        var declaration: String
        var token: String
        var message: String

        init(_ finding: Finding) {
            (rule, level, message) = (finding.rule, finding.level, finding.message)
            (declaration, token) = (finding.declaration, finding.token)
        }
    }

    /// Applies the fixes of findings to their file, as far as they pass.
    ///
    /// `check` answers all findings of a text.
    package init(
        _ findings: [Finding],
        of file: SourceFile,
        nesting: Int? = nil,
        check: @escaping (SourceFile) -> [Finding]
    ) {
        self.file = file
        self.nesting = nesting
        self.check = check
        text = file.text
        let fixable = findings.filter { $0.fix?.isApplied == true }
        guard !fixable.isEmpty, file.firstSyntaxError == nil else {
            before = [:]
            return
        }
        before = Self.counts(check(file))
        add(fixable[...])
    }

    /// Adds fixes, all at a time if that passes, else each half on its own.
    private mutating func add(_ findings: ArraySlice<Finding>) {
        guard !findings.isEmpty else { return }
        if let better = text(with: accepted + findings) {
            accepted += findings
            text = better
        } else if findings.count > 1 {
            let middle = findings.startIndex + findings.count / 2
            add(findings[..<middle])
            add(findings[middle...])
        }
    }

    /// The text with the fixes of these findings, unless it is worse.
    private func text(with findings: [Finding]) -> [UInt8]? {
        let (bytes, applied) = Fix.apply(findings.compactMap(\.fix), to: file.text)
        guard applied == findings.count else { return nil }
        let changed = SourceFile(path: file.path, source: String(decoding: bytes, as: UTF8.self), nesting: nesting)
        guard changed.firstSyntaxError == nil else { return nil }
        var allowed = before
        for finding in findings { allowed[Key(finding), default: 0] -= 1 }
        let isBetter = Self.counts(check(changed)).allSatisfy { $0.value <= allowed[$0.key, default: 0] }
        return isBetter ? bytes : nil
    }

    private static func counts(_ findings: [Finding]) -> [Key: Int] {
        findings.reduce(into: [:]) { $0[Key($1), default: 0] += 1 }
    }
}
