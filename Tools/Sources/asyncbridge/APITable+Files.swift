// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce

extension APITable {
    /// What the tool knows, and tables of users, whose entries win.
    init(addingFiles paths: [String]) throws {
        self = .standard
        for path in paths {
            guard let text = TextFile.read(path) else { throw Failure("“\(path)” cannot be read as UTF-8.") }
            do {
                try add(text)
            } catch {
                throw Failure("\(path): \(error)")
            }
        }
    }
}
