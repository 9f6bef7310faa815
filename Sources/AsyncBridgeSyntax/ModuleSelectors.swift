// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftParser
import SwiftSyntax

/// Names of the libraries with `::` behind the module, which no type of the user's hides: `Swift::Result`.
///
/// Swift 6.3 reads them. Without them a type called `AsyncBridge` hides the module of that name, and no macro can know.
public enum ModuleSelectors {
    /// The names behind each module that twins mention: what is called otherwise belongs to a type of the user's.
    private static let names: [String: Set<String>] = {
        let all = HubNames.qualified.map { $0.split(separator: ".").map(String.init) }
        return Dictionary(grouping: all) { $0[0] }.mapValues { Set($0.map { $0[1] }) }
    }()

    /// Writes selectors into what the generator has written.
    ///
    /// What stands in strings and comments stays as the user wrote it.
    ///
    /// - Parameter source: The source.
    /// - Returns: The same, where `AsyncBridge.withCallback` is `AsyncBridge::withCallback`.
    public static func written(in source: String) -> String {
        let tokens = Array(Parser.parse(source: source).tokens(viewMode: .sourceAccurate))
        return tokens.indices.map { index in
            let token = tokens[index]
            let isModule =
                token.tokenKind == .period && tokens.indices.contains(index - 1) && tokens.indices.contains(index + 1)
                && self.names[tokens[index - 1].text]?.contains(tokens[index + 1].text) == true
                && !(tokens.indices.contains(index - 2) && tokens[index - 2].tokenKind == .period)
            return isModule ? "\(token.leadingTrivia)::\(token.trailingTrivia)" : token.description
        }
        .joined()
    }
}
#endif
