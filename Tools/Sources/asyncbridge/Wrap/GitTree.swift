// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The git working tree in which a package is.
enum GitTree {
    /// Why files must not be written there: it is no tree, or has changes that are not committed.
    ///
    /// `isOwn` says of a path, relative to the folder, whether the tool has written it.
    static func obstacle(in folder: String, _ interruption: Interruption, isOwn: (String) -> Bool) throws -> String? {
        let status = "git status --porcelain --untracked-files=all -z -- . 2>/dev/null"
        let prefix = try ShellCommand(line: "git rev-parse --show-prefix 2>/dev/null", folder: folder)
            .run(interruption)
        guard prefix.succeeded else { return "it is in no git repository, so nothing could be taken back" }
        let begin = prefix.output.trimmingCharacters(in: .newlines)
        let listed = try ShellCommand(line: status, folder: folder).run(interruption)
        guard listed.succeeded else { return "git cannot tell its state" }
        var entries = listed.output.split(separator: "\0").map(String.init)[...]
        while let entry = entries.popFirst() {
            // A renamed file is followed by its old name.
            if entry.hasPrefix("R") || entry.hasPrefix("C") { entries = entries.dropFirst() }
            let path = String(entry.dropFirst(3))
            let relative = path.hasPrefix(begin) ? String(path.dropFirst(begin.count)) : path
            if !isOwn(relative) { return "“\(relative)” has changes that are not committed" }
        }
        return nil
    }
}
