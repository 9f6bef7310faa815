// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The difference between two texts, as `diff -u` writes it.
package enum UnifiedDiff {
    private static let context = 3

    /// The difference, with a line end, or nothing if there is none.
    ///
    /// `nil` is a file that is not there.
    package static func text(of path: String, from old: String?, to new: String?) -> String {
        guard old != new else { return "" }
        let (oldLines, newLines) = (lines(old), lines(new))
        let difference = newLines.difference(from: oldLines)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        let edits = edits(oldLines, newLines, removed, added)
        let from = old == nil ? "/dev/null" : "a/" + path
        let to = new == nil ? "/dev/null" : "b/" + path
        return "--- \(from)\n+++ \(to)\n" + hunks(edits)
    }

    private static func lines(_ text: String?) -> [Substring] {
        guard let text, !text.isEmpty else { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private struct Edit {
        var sign: Character
        var text: Substring
        /// The lines before this one in both texts.
        var old: Int
        var new: Int
    }

    private static func edits(
        _ old: [Substring],
        _ new: [Substring],
        _ removed: Set<Int>,
        _ added: Set<Int>
    ) -> [Edit] {
        var edits: [Edit] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i) {
                edits.append(Edit(sign: "-", text: old[i], old: i, new: j))
                i += 1
            } else if added.contains(j) {
                edits.append(Edit(sign: "+", text: new[j], old: i, new: j))
                j += 1
            } else {
                edits.append(Edit(sign: " ", text: old[i], old: i, new: j))
                i += 1
                j += 1
            }
        }
        return edits
    }

    private static func hunks(_ edits: [Edit]) -> String {
        let changed = edits.indices.filter { edits[$0].sign != " " }
        var text = ""
        var index = 0
        while index < changed.count {
            var last = index
            while last + 1 < changed.count, changed[last + 1] - changed[last] <= 2 * context { last += 1 }
            let start = max(0, changed[index] - context)
            let end = min(edits.count, changed[last] + context + 1)
            let hunk = edits[start..<end]
            let old = hunk.count { $0.sign != "+" }
            let new = hunk.count { $0.sign != "-" }
            let from = hunk[start].old + (old == 0 ? 0 : 1)
            let to = hunk[start].new + (new == 0 ? 0 : 1)
            text += "@@ -\(from),\(old) +\(to),\(new) @@\n"
            for edit in hunk { text += "\(edit.sign)\(edit.text)\n" }
            index = last + 1
        }
        return text
    }
}
