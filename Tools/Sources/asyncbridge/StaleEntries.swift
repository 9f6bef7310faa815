// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CheckReports
import ExactlyOnce
import Foundation

/// Which entries of a baseline match nothing any more.
///
/// Only a file that is checked, or is gone, can tell; and what another profile finds is not gone.
struct StaleEntries {
    var file: BaselineFile
    /// What is checked: files and folders.
    var roots: [String]
    var inputs: [Inputs.Input]

    func stale(in baseline: Baseline, _ result: Checker.Result, _ checker: Checker) -> [Baseline.Entry] {
        let unmatched = baseline.apply(to: result.findings, at: file.place).stale
        guard !unmatched.isEmpty else { return [] }
        let checked = Dictionary(inputs.map { (file.place($0.path), $0) }, uniquingKeysWith: { first, _ in first })
        let roots = roots.map { file.place(Inputs.root(ofManifest: $0) ?? $0) }
        let candidates = unmatched.filter { entry in
            if checked[entry.path] != nil { return true }
            guard roots.contains(where: { entry.path.isInside($0) }) else { return false }
            return !FileManager.default.fileExists(atPath: file.file(of: entry))
        }
        let others = Set(candidates.map(\.path)).compactMap { checked[$0] }
        guard checker.profile != .strict, !others.isEmpty else { return candidates }
        var strict = checker
        strict.profile = .strict
        let found = strict.check(others, with: result.knowledge).findings
        let stale = Set(Baseline(candidates).apply(to: found, at: file.place).stale)
        return candidates.filter { stale.contains($0) }
    }
}

extension String {
    /// Whether it is a folder, or in it.
    fileprivate func isInside(_ folder: String) -> Bool {
        if folder.isEmpty || folder == "." { return !hasPrefix("../") }
        // `..` has all that is not beside it.
        if folder.allSatisfy({ $0 == "." || $0 == "/" }) { return !hasPrefix(folder + "/..") }
        return self == folder || hasPrefix(folder + "/")
    }
}
