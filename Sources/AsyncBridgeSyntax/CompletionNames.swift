// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// What the names of a parameter say about its role.
struct CompletionNames {
    private let names: [String]

    init(_ parameter: FunctionParameterSyntax) {
        let names = [parameter.firstName.text, parameter.secondName?.text].compactMap { $0?.lowercased() }
        self.names = names.map { $0.filter { $0 != "_" && $0 != "`" } }
    }

    init(label: String) { self.names = [label.lowercased()] }

    /// It is the completion: `completionHandler`, `userCallback`.
    var saysCompletion: Bool {
        self.names.contains { $0.contains("completion") || $0.contains("callback") }
            && !self.saysOften && !self.saysFailure
    }

    /// It is about the completion, and is none itself: `callbackURL`, `completionQueue`.
    var saysDetail: Bool {
        let handlers = ["handler", "block", "closure", "completion", "callback", "function", "fn"]
        return self.names.contains { name in
            ["completion", "callback"].contains { word in
                guard let range = name.firstRange(of: word) else { return false }
                let rest = name[range.upperBound...].drop { $0.isNumber || $0 == "s" }
                return !rest.isEmpty && !handlers.contains(where: rest.hasPrefix)
            }
        }
    }

    /// It says nothing of when it is called: `block`, `f`, `then`.
    ///
    /// `action`, `body` and `perform` say that there is something to do, perhaps often.
    var saysNothing: Bool {
        let words: Set = [
            "block", "closure", "function", "func", "fn", "f", "g", "x", "k", "h", "c", "cb", "after", "afterwards",
            "answer", "and", "receive", "returning", "with", "",
        ]
        return self.names.allSatisfy(words.contains)
    }

    /// It is the completion if there is no better one: `handler`, `done`, `reply`.
    var saysHandler: Bool {
        let words = ["handler", "done", "finish", "reply", "complete", "result", "response", "success", "then"]
        return self.names.contains { name in words.contains { name.contains($0) } }
            && !self.saysOften && !self.saysFailure
    }

    /// It is called many times, or asks for something: `progress`, `onUpdate`.
    var saysOften: Bool {
        let words = ["progress", "update", "event", "change", "filter", "predicate", "transform", "retry", "condition"]
        return self.names.contains { name in words.contains { name.contains($0) } }
    }

    var saysSuccess: Bool {
        self.names.contains { self.hasRole($0, of: ["success", "onsuccess", "fulfill", "resolve"]) }
    }

    var saysFailure: Bool {
        let words = ["failure", "onfailure", "onfail", "failed", "error", "onerror", "reject"]
        return self.names.contains { self.hasRole($0, of: words) }
    }

    /// Whether the name is one of the words, or one with `Handler` behind it.
    private func hasRole(_ name: String, of words: [String]) -> Bool {
        let endings = ["", "handler", "callback", "block", "closure", "completion"]
        return words.contains { word in endings.contains { name == word + $0 } }
    }

    /// Whether a type looks like an alias for a function: `CompletionHandler`, `Api.Callback<User>`.
    static func isAlias(_ type: TypeSyntax) -> Bool {
        if let wrapped = type.optionalWrapped ?? type.inParentheses { return self.isAlias(wrapped) }
        if let attributed = type.as(AttributedTypeSyntax.self) {
            return attributed.attributes.contains(named: "escaping") || self.isAlias(attributed.baseType)
        }
        let name: String
        if let type = type.as(IdentifierTypeSyntax.self) {
            name = type.name.text
        } else if let type = type.as(MemberTypeSyntax.self) {
            name = type.name.text
        } else {
            return false
        }
        return ["Completion", "Handler", "Callback", "Closure", "Block"].contains { name.hasSuffix($0) }
    }
}

extension FunctionParameterSyntax {
    /// The name inside the function, as it is written: `_` if there is none.
    var innerName: String { (self.secondName ?? self.firstName).text }

    /// The label at a call; `nil` for none.
    var label: String? { self.firstName.tokenKind == .wildcard ? nil : self.firstName.text }

    func isCalled(_ name: String) -> Bool {
        [self.innerName, self.label].contains { $0?.withoutBackticks == name.withoutBackticks }
    }
}
#endif
