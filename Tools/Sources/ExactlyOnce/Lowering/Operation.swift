// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import SwiftSyntax

/// An expression with operators, taken apart at the operator that binds least.
///
/// The parser leaves that to its users.
///
/// Only the operators that decide what runs are told apart; all others only evaluate both sides.
enum Operation {
    case assignment(to: [ExprSyntax], isPlain: Bool, value: [ExprSyntax])
    case choice(condition: [ExprSyntax], then: ExprSyntax, otherwise: [ExprSyntax])
    case or([ExprSyntax], [ExprSyntax])
    case and([ExprSyntax], [ExprSyntax])
    case coalescing([ExprSyntax], [ExprSyntax])
    case comparison([ExprSyntax], isEqual: Bool, [ExprSyntax])
    case plain([ExprSyntax])

    init(_ elements: [ExprSyntax]) {
        func parts(_ index: Int) -> ([ExprSyntax], [ExprSyntax]) {
            (Array(elements[..<index]), Array(elements[(index + 1)...]))
        }
        if let index = elements.firstIndex(where: Self.isAssignment) {
            let (target, value) = parts(index)
            self = .assignment(to: target, isPlain: elements[index].is(AssignmentExprSyntax.self), value: value)
        } else if let index = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) {
            let (condition, otherwise) = parts(index)
            let then = elements[index].cast(UnresolvedTernaryExprSyntax.self).thenExpression
            self = .choice(condition: condition, then: then, otherwise: otherwise)
        } else if let index = elements.lastIndex(where: { Self.name($0) == "||" }) {
            self = .or(parts(index).0, parts(index).1)
        } else if let index = elements.lastIndex(where: { Self.name($0) == "&&" }) {
            self = .and(parts(index).0, parts(index).1)
        } else if let index = elements.firstIndex(where: { ["==", "!=", "===", "!=="].contains(Self.name($0)) }) {
            let isEqual = Self.name(elements[index])?.first == "="
            self = .comparison(parts(index).0, isEqual: isEqual, parts(index).1)
        } else if let index = elements.firstIndex(where: { Self.name($0) == "??" }) {
            self = .coalescing(parts(index).0, parts(index).1)
        } else {
            self = .plain(elements)
        }
    }

    private static func name(_ element: ExprSyntax) -> String? {
        element.as(BinaryOperatorExprSyntax.self)?.operator.text
    }

    private static func isAssignment(_ element: ExprSyntax) -> Bool {
        if element.is(AssignmentExprSyntax.self) { return true }
        guard let name = name(element), name.hasSuffix("=") else { return false }
        return !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(name)
    }
}

extension ExprSyntax {
    /// Without parentheses, `try`, `await` and `unsafe`.
    package var bare: ExprSyntax {
        var expression = self
        while true {
            if let tuple = expression.as(TupleExprSyntax.self), let only = tuple.elements.first,
                tuple.elements.count == 1,
                only.label == nil
            {
                expression = only.expression
            } else if let inner = expression.as(TryExprSyntax.self)?.expression {
                expression = inner
            } else if let inner = expression.as(AwaitExprSyntax.self)?.expression {
                expression = inner
            } else if let inner = expression.as(UnsafeExprSyntax.self)?.expression {
                expression = inner
            } else {
                return expression
            }
        }
    }

    /// Without `?` and `!` behind it, either.
    package var unwrapped: ExprSyntax {
        var expression = bare
        while true {
            if let inner = expression.as(OptionalChainingExprSyntax.self)?.expression {
                expression = inner.bare
            } else if let inner = expression.as(ForceUnwrapExprSyntax.self)?.expression {
                expression = inner.bare
            } else {
                return expression
            }
        }
    }

    /// The name, of a plain one such as `x`.
    package var identifier: String? { self.as(DeclReferenceExprSyntax.self)?.baseName.text }

    var isLiteral: Bool {
        isNil || self.is(BooleanLiteralExprSyntax.self) || self.is(IntegerLiteralExprSyntax.self)
            || self.is(StringLiteralExprSyntax.self) || self.is(ArrayExprSyntax.self)
            || self.is(DictionaryExprSyntax.self)
    }

    var isNil: Bool { self.is(NilLiteralExprSyntax.self) }

    /// `x` of `x.y?.z[0]`.
    var root: ExprSyntax {
        var expression = unwrapped
        while true {
            if let base = expression.as(MemberAccessExprSyntax.self)?.base {
                expression = base.unwrapped
            } else if let base = expression.as(SubscriptCallExprSyntax.self)?.calledExpression {
                expression = base.unwrapped
            } else if let base = expression.as(FunctionCallExprSyntax.self)?.calledExpression {
                expression = base.unwrapped
            } else {
                return expression
            }
        }
    }
}

extension SyntaxProtocol {
    /// Its text without spaces, to compare it with others.
    var key: String {
        var text = ""
        for token in tokens(viewMode: .sourceAccurate) { text += token.text }
        return text
    }

    var start: Int { positionAfterSkippingLeadingTrivia.utf8Offset }
    /// The offset of the last character.
    var last: Int { max(start, endPositionBeforeTrailingTrivia.utf8Offset - 1) }
    var identifiers: [String] {
        tokens(viewMode: .sourceAccurate).compactMap {
            switch $0.tokenKind {
            case .identifier(let name), .dollarIdentifier(let name): name
            default: nil
            }
        }
    }
}
