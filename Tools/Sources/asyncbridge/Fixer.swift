// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Foundation

/// Writes fixes into files.
enum Fixer {
    /// Applies the findings' fixes, and answers how many.
    static func apply(_ findings: [Finding], to inputs: [Inputs.Input]) throws -> Int {
        var count = 0
        for (path, findings) in Dictionary(grouping: findings, by: \.path) {
            let fixes = findings.compactMap(\.fix).filter(\.isApplied)
            guard !fixes.isEmpty, let data = FileManager.default.contents(atPath: path) else { continue }
            let (bytes, applied) = Fix.apply(fixes, to: Array(data))
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
            count += applied
        }
        return count
    }
}
