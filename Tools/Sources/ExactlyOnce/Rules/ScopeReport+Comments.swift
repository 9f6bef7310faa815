// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// What the code says of itself: a contract that is written down is none that is broken.
extension ScopeReport {
    /// What a comment may say of a handler.
    enum Claim {
        /// It is not called on some way.
        case dropped
        /// It is called more than once.
        case repeated
    }

    /// The function whose handler it is, without its labels.
    var functionName: String {
        let last = token.scope.declaration.split(separator: ".").last ?? ""
        return String(last.prefix { $0 != "(" })
    }

    /// Whether its type is named as one that does nothing on purpose.
    var isStandIn: Bool {
        token.scope.declaration.split(separator: ".").dropLast().contains { Names.isStub(String($0)) }
    }

    /// Whether its type is named as one that a test puts in the place of another.
    var isTestDouble: Bool {
        let types = token.scope.declaration.lowercased().split(separator: ".").dropLast()
        return types.contains { type in ["mock", "spy", "fake", "stub"].contains { type.contains($0) } }
    }

    /// Whether its body has only a comment, which says that there is nothing to do, or a message that says so.
    var saysNothingToDo: Bool {
        let body = token.scope.body
        if body.count == 1, case .expr(let only)? = body.first?.item, let call = only.as(FunctionCallExprSyntax.self),
            let text = call.arguments.first?.expression.as(StringLiteralExprSyntax.self)?.key.lowercased()
        {
            return ["placeholder", "overrid", "subclass", "not implemented", "no-op"].contains { text.contains($0) }
        }
        guard body.count < 2, let brace = file.tree.token(at: AbsolutePosition(utf8Offset: token.scope.end))
        else { return false }
        let before = brace.previousToken(viewMode: .sourceAccurate)?.trailingTrivia ?? []
        let words =
            ["no-op", "noop", "nothing", "not supported", "unsupported", "intentional", "not needed", "unused"]
            + ["overrid", "overwrit", "subclass", "ignore this", "ignored"]
        let comments = before.comments + brace.leadingTrivia.comments + (body.first?.leadingTrivia.comments ?? [])
        return comments.contains { comment in
            words.contains { comment.lowercased().contains($0) }
        }
    }

    /// Whether a comment at this place, or that of the function, says it.
    func isDocumented(_ claim: Claim, at position: Int) -> Bool {
        comments(at: position).contains { sentence in
            says(claim, sentence) || claim == .dropped && Self.impossibleWords.contains { sentence.contains($0) }
        } || documentation(at: position).contains { says(claim, $0) }
    }

    private func says(_ claim: Claim, _ sentence: String) -> Bool {
        let things = ["completion", "callback", "handler", "closure", token.name.lowercased()]
        guard things.contains(where: { sentence.contains($0) }) else { return false }
        switch claim {
        case .dropped: return Self.droppedWords.contains { sentence.contains($0) }
        case .repeated:
            return Self.repeatedWords.contains { sentence.contains($0) }
                && !Self.denials.contains { sentence.contains($0) }
        }
    }

    private static let droppedWords = [
        "not call", "n't call", "never call", "without calling", "not be called", "n't be called", "not invoke",
        "n't invoke", "not be invoked", "n't be invoked", "not execute", "skip completion", "skip the completion",
        "skip calling", "only called", "called only",
        "not necessarily", "only call", "only if", "only when", "only for", "only on success", "not fire",
        "no completion", "no callback", "called if", "executed if", "invoked if",
    ]
    /// What excuses a way without a word of the handler.
    private static let impossibleWords = [
        "silently", "debounc", "not possible", "impossible", "never happen", "not happen", "cannot happen",
        "can't happen",
    ]
    private static let repeatedWords = [
        "twice", "two times", "more than once", "multiple times", "several times", "many times", "each time",
        "every time", "for each", "for every", "repeatedly", "called again", "call again",
    ]
    private static let denials = ["not ", "n't", "never", "avoid", "prevent", "only once", "exactly once"]

    /// The sentences in the comments around a place: of its statement, and of the one whose block it ends.
    private func comments(at position: Int) -> [String] {
        guard let item = file.statement(at: position) else { return [] }
        var trivia = item.leadingTrivia.comments
        if let list = item.parent?.as(CodeBlockItemListSyntax.self), item.item.is(ReturnStmtSyntax.self) {
            trivia = list.flatMap(\.leadingTrivia.comments)
            trivia += list.parent?.parent.flatMap { file.statement(at: $0.start) }?.leadingTrivia.comments ?? []
        }
        return sentences(trivia)
    }

    /// The sentences in the comment of the function.
    private func documentation(at position: Int) -> [String] {
        var node = file.tree.token(at: AbsolutePosition(utf8Offset: position))?.parent
        while let current = node {
            if current.is(FunctionDeclSyntax.self) || current.is(InitializerDeclSyntax.self) {
                return sentences(current.leadingTrivia.comments)
            }
            node = current.parent
        }
        return []
    }

    private func sentences(_ comments: [String]) -> [String] {
        comments.joined(separator: " ").lowercased().split(separator: ".").map(String.init)
    }
}

extension Trivia {
    /// The texts of its comments, without what marks them.
    fileprivate var comments: [String] {
        compactMap { piece in
            switch piece {
            case .lineComment(let text), .docLineComment(let text): String(text.drop { $0 == "/" })
            case .blockComment(let text), .docBlockComment(let text): text
            default: nil
            }
        }
    }
}
