// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftParser
import SwiftSyntax

// SwiftSyntaxBuilder has this too, and takes a while to compile.

extension SyntaxParseable {
    /// The node that a text stands for.
    static func parsed(_ source: String) -> Self {
        var parser = Parser(source)
        return Self.parse(from: &parser)
    }
}
#endif
