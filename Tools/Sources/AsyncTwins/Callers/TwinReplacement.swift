// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax

/// An async function, as those see it who called the one with a handler.
struct TwinReplacement: Sendable {
    var name: String
    /// What the handler gets.
    var answer: HandlerAnswer
    /// What it returns, as it is written; `nil` for nothing.
    var returned: String?
    var canThrow: Bool

    /// The twin that this tool writes.
    init?(_ planned: PlannedFunction) {
        guard planned.rung.errors == nil, let twin = planned.twin else { return nil }
        self.init(planned, twin)
    }

    /// The async function that is there already, if it promises what the twin would, and waits for the same function.
    ///
    /// One that calls another async function may call the one that the call is in: they would call each other for ever.
    init?(existing planned: PlannedFunction) {
        guard let existing = planned.existing, existing.node.waitsOnly(for: planned.name),
            let twin = planned.outcome(at: Rung()).twins.first,
            let written = Self(planned, twin)
        else { return nil }
        self = written
        let signature = existing.node.signature
        name = existing.name
        returned = signature.returnedType
        canThrow = signature.effectSpecifiers?.throwsClause != nil
        guard returned == written.returned, canThrow || answer.shape == .value || answer.shape == .nothing else {
            return nil
        }
    }

    private init?(_ planned: PlannedFunction, _ twin: Twin) {
        guard let answer = HandlerAnswer(planned), let function = Parser.parse(source: twin.source).firstFunction else {
            return nil
        }
        // An argument that the twin does not take could not be passed on.
        let kept = planned.function.parameters.indices.filter { !planned.handlers.contains($0) }
        guard function.signature.parameterClause.parameters.map(\.firstName.text) == kept.map({ planned.labels[$0] })
        else { return nil }
        name = function.name.text
        self.answer = answer
        returned = function.signature.returnedType
        canThrow = function.signature.effectSpecifiers?.throwsClause != nil
    }

    /// Whether callers write the same for another one: types may differ, since nobody names them.
    func isWritten(like other: Self) -> Bool {
        name == other.name && answer == other.answer && (returned == nil) == (other.returned == nil)
            && canThrow == other.canThrow
    }
}

/// What a handler gets.
struct HandlerAnswer: Hashable, Sendable {
    var shape: Generator.Completion.Shape
    /// Which of a value and an error is the error.
    var errorIndex = 1
    /// Whether the value beside an error may be missing.
    var valueIsOptional = true

    fileprivate init?(_ planned: PlannedFunction) {
        guard let shape = planned.shape, let handler = planned.handlers.first else { return nil }
        self.shape = shape
        guard shape == .valueAndError else { return }
        let type = planned.function.parameters[handler].type.handlerFunction(planned.meanings)
        let types = type?.parameters.map(\.type) ?? []
        // The value's type may end so, too: then the error is where it always is.
        guard types.count == 2 else { return nil }
        errorIndex = types[1].isNamedError ? 1 : 0
        let value = types[1 - errorIndex]
        valueIsOptional =
            value.is(OptionalTypeSyntax.self) || value.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            || value.path.last == "Optional"
    }
}

extension TypeSyntax {
    fileprivate var isNamedError: Bool { withoutLayers.path.last?.hasSuffix("Error") == true }
}

extension FunctionSignatureSyntax {
    /// What it returns; `nil` for nothing.
    ///
    /// That it is sent changes nothing for callers.
    fileprivate var returnedType: String? {
        guard let text = returnClause?.type.trimmedDescription else { return nil }
        let type = text.hasPrefix("sending ") ? String(text.dropFirst("sending ".count)) : text
        return TwinReplacement.isVoid(type) ? nil : type
    }
}

extension FunctionDeclSyntax {
    /// Whether it waits for a continuation, or a callback, whose closure calls a function of this name, and for nothing
    /// else.
    fileprivate func waitsOnly(for name: String) -> Bool {
        guard let body, let only = body.all(AwaitExprSyntax.self).first, body.all(AwaitExprSyntax.self).count == 1
        else { return false }
        let calls = only.all(FunctionCallExprSyntax.self)
        return calls.contains { $0.makesContinuation || $0.calleeName?.text == "withCallback" }
            && calls.contains { $0.calleeName?.text == name }
    }
}

extension TwinReplacement {
    static func isVoid(_ type: String) -> Bool { ["Void", "()", "Swift.Void"].contains(type) }
}

extension SourceFileSyntax {
    /// The function of a twin, which may stand in `#if`.
    fileprivate var firstFunction: FunctionDeclSyntax? {
        let finder = FunctionFinder(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.found
    }
}

private final class FunctionFinder: SyntaxVisitor {
    var found: FunctionDeclSyntax?

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        if found == nil { found = node }
        return .skipChildren
    }
}
