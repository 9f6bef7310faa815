// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Prints the tour and keeps count of what was as it says.
@MainActor
final class Narrator {
    private var chapters = 0
    private var checks = 0
    private(set) var failures = 0

    private let folder: String

    private static let pageWidth = 118

    /// - Parameter folder: Where the chapters' code is, from the package's root.
    init(folder: String) { self.folder = folder }

    /// Begins a chapter, and says in which file its code is.
    func chapter(_ title: String, _ remarks: String..., fileID: String = #fileID) {
        self.chapters += 1
        print("\n\(self.chapters). \(title)")
        print("   \(self.folder)/\(fileID.split(separator: "/").last ?? "")")
        for remark in remarks { print("   \(remark)") }
        print()
    }

    /// Says what should have happened, why one would care, whether it has happened, and what was seen.
    func check(_ statement: String, so reason: String, _ holds: Bool, _ value: Any? = nil) {
        self.checks += 1
        if !holds { self.failures += 1 }
        print("   \(holds ? "ok   " : "WRONG")  \(statement): \(reason).")
        for part in (value.map { "\($0)" } ?? "").wrapped(at: Self.pageWidth - 14) { print("              \(part)") }
    }

    /// Sums up.
    func end() {
        let verdict = self.failures == 0 ? "All \(self.checks) are as they should be." : "\(self.failures) are WRONG."
        print("\n\(self.chapters) \(self.chapters == 1 ? "chapter" : "chapters"), \(self.checks) checks. \(verdict)")
    }
}

extension String {
    fileprivate func wrapped(at width: Int) -> [String] {
        self.split(separator: " ").reduce(into: [String]()) { lines, word in
            guard let last = lines.last, last.count + 1 + word.count <= width else { return lines.append(String(word)) }
            lines[lines.count - 1] = "\(last) \(word)"
        }
    }
}
