// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension Fix {
    /// Applies fixes to a text, each as a whole or not at all: one that overlaps an earlier one is left out.
    package static func apply(_ fixes: [Fix], to bytes: [UInt8]) -> (bytes: [UInt8], applied: Int) {
        var accepted: [Edit] = []
        var applied = 0
        for fix in fixes {
            let overlaps = fix.edits.contains { edit in
                accepted.contains {
                    $0.offset < edit.offset + max(1, edit.length) && edit.offset < $0.offset + max(1, $0.length)
                }
            }
            guard !overlaps else { continue }
            accepted += fix.edits
            applied += 1
        }
        var result = bytes
        for edit in accepted.sorted(by: { $0.offset > $1.offset }) {
            result.replaceSubrange(edit.offset..<(edit.offset + edit.length), with: Array(edit.text.utf8))
        }
        return (result, applied)
    }
}
