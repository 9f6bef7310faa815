// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
/// Names of the libraries with `::` behind the module, which no type of the user's hides: `Swift::Result`.
///
/// Swift 6.3 reads them. Without them a type called `AsyncBridge` hides the module of that name, and no macro can know.
public enum ModuleSelectors {
    /// The names behind each module that twins mention: what is called otherwise belongs to a type of the user's.
    private static let names: [Substring: Set<Substring>] = {
        let all = HubNames.qualified.map { $0.split(separator: ".") }
        return Dictionary(grouping: all) { $0[0] }.mapValues { Set($0.map { $0[1] }) }
    }()

    /// Writes selectors into what the generator has written.
    ///
    /// - Parameter source: The source.
    /// - Returns: The same, where `AsyncBridge.withCallback` is `AsyncBridge::withCallback`.
    public static func written(in source: String) -> String {
        let parts = source.split(separator: ".", omittingEmptySubsequences: false)
        guard var text = parts.first.map(String.init) else { return source }
        for (left, right) in zip(parts, parts.dropFirst()) {
            // The left part is what stands between two points.
            let module = left.suffix(while: \.isOfName)
            let isMember = module.count == left.count && left.startIndex != source.startIndex
            let isModule = !isMember && self.names[module]?.contains(right.prefix(while: \.isOfName)) == true
            text += (isModule ? "::" : ".") + right
        }
        return text
    }
}

extension Substring {
    fileprivate func suffix(while predicate: (Character) -> Bool) -> Substring {
        self[(self.lastIndex { !predicate($0) }.map(self.index(after:)) ?? self.startIndex)...]
    }
}

extension Character {
    fileprivate var isOfName: Bool { self == "_" || self == "`" || self.isLetter || self.isNumber || !self.isASCII }
}
#endif
