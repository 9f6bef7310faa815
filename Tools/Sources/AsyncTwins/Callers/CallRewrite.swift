// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftParser
import SwiftSyntax

/// Writes a call with a completion handler as one of the twin.
struct CallRewrite {
    private let call: FunctionCallExprSyntax
    private let position: CallPosition
    private let twin: TwinReplacement
    private let closure: ClosureExprSyntax
    /// The indentation of the statement, and of one more level.
    private let indentation: String
    private let unit: String
    /// Whether code stands before the statement on its line.
    private let isOnOtherLine: Bool

    init(
        _ call: FunctionCallExprSyntax,
        handler closure: ClosureExprSyntax,
        at position: CallPosition,
        _ twin: TwinReplacement,
        indentation blanks: String
    ) {
        self.call = call
        self.closure = closure
        self.position = position
        self.twin = twin
        unit = blanks.contains("\t") ? "\t" : "    "
        let first = position.statement.firstToken(viewMode: .sourceAccurate)?.leadingTrivia ?? []
        isOnOtherLine =
            !first.contains(where: \.isNewline)
            && position.statement.previousToken(viewMode: .sourceAccurate) != nil
        indentation = isOnOtherLine ? blanks + unit : blanks
    }

    /// The change.
    ///
    /// - Throws: Why the call must stay as it is.
    func edit() throws(CallPosition.Obstacle) -> SourceEdit {
        if call.calledExpression.all(OptionalChainingExprSyntax.self).isEmpty == false {
            throw CallPosition.Obstacle(reason: .mayNotBeCalled)
        }
        let captures = closure.signature?.capture?.items.allSatisfy(\.isSelf) ?? true
        guard captures else { throw CallPosition.Obstacle(reason: .captures) }
        guard twin.answer.shape.tellsFailure else { throw CallPosition.Obstacle(reason: .otherAnswer) }
        guard let answer = AnswerClosure(closure, twin.answer, keepsWeakSelf: position.hasWeakSelf) else {
            throw CallPosition.Obstacle(reason: .otherClosure)
        }
        if let reason = answer.obstacle { throw CallPosition.Obstacle(reason: reason) }
        let lines: [String]
        switch answer.form {
        case .branches(let success, let failure): lines = written(answer, success, failure)
        case .direct(let node, let expression): lines = written(answer, node, expression)
        }
        let statement = position.statement
        let text = lines.enumerated()
            .map { index, line in index == 0 || line.isEmpty ? line : indentation + line }
            .joined(separator: "\n")
        let all = isOnOtherLine ? "\n" + indentation + text + "\n" + indentation.dropLast(unit.count) : text
        // Those above a case, or between an argument and its comma, have no place of their own.
        guard Parser.parse(source: text).comments.count == statement.trimmed.comments.count else {
            throw CallPosition.Obstacle(reason: .losesComment)
        }
        var start = statement.positionAfterSkippingLeadingTrivia.utf8Offset
        var end = statement.endPositionBeforeTrailingTrivia.utf8Offset
        if isOnOtherLine {
            // The blanks beside the statement would be at the ends of lines.
            start -= statement.previousToken(viewMode: .sourceAccurate)?.trailingTriviaLength.utf8Length ?? 0
            end = statement.endPosition.utf8Offset
        }
        return SourceEdit(range: start..<end, text: all)
    }

    // MARK: What is written

    private var awaited: [String] {
        var lines = call.written(named: twin.name, without: ExprSyntax(closure), from: indentation)
        lines[0] = "try await " + lines[0]
        return lines
    }

    private func written(
        _ answer: AnswerClosure,
        _ success: AnswerClosure.Branch,
        _ failure: AnswerClosure.Branch
    ) -> [String] {
        let value = success.statements.mentioning(success.name)
        var first = awaited
        if let value {
            first[0] = "let \(answer.written(value))\(twin.returned == nil ? ": Void" : "") = " + first[0]
        } else if twin.returned != nil {
            first[0] = "_ = " + first[0]
        }
        var lines = ["do {"] + Self.indented(first + body(answer, success), unit)
        let error = failure.statements.mentioning(failure.name)
        if let error, answer.written(error) != "error" {
            lines.append("} catch let \(answer.written(error)) {")
        } else if error == nil, failure.statements.mentioning("error") != nil {
            // Another error is meant: `catch` alone would hide it.
            lines.append("} catch _ {")
        } else {
            lines.append("} catch {")
        }
        let rest = body(answer, failure)
        if rest.isEmpty {
            lines[lines.count - 1] += "}"
            return lines
        }
        return lines + Self.indented(rest, unit) + ["}"]
    }

    private func written(_ answer: AnswerClosure, _ node: DoStmtSyntax, _ expression: TryExprSyntax) -> [String] {
        let statement = closure.statements.first.map { answer.outside($0, nil).description } ?? ""
        let old = expression.trimmedDescription
        let text = statement.replacing(old, with: awaited.joined(separator: "\n"), maxReplacements: 1)
        return text.dedentedLines
    }

    private func body(_ answer: AnswerClosure, _ branch: AnswerClosure.Branch) -> [String] {
        var statements = branch.statements.map { answer.outside($0, branch.name) }
        let end = branch.end.comments.isEmpty ? "" : branch.end.description
        if let last = statements.popLast() {
            // What stood between it and a brace, or the next statement, on one line.
            let blanks = last.trailingTrivia.comments.isEmpty ? Trivia() : last.trailingTrivia
            statements.append(last.with(\.semicolon, nil).with(\.trailingTrivia, blanks))
        }
        return (statements.map(\.description).joined() + end).dedentedLines
    }

    // MARK: Lines

    private static func indented(_ lines: [String], _ unit: String) -> [String] {
        lines.map { $0.isEmpty ? $0 : unit + $0 }
    }
}

extension FunctionCallExprSyntax {
    /// The lines of the call without its handler, of a function of another name.
    ///
    /// - Parameters:
    ///   - name: What is called.
    ///   - handler: The argument that is left out.
    ///   - indentation: That of the line that the call begins in.
    /// - Returns: The lines, of which all but the first have their indentation in addition to that.
    func written(named name: String, without handler: ExprSyntax, from indentation: String) -> [String] {
        let callee = calledExpression.trimmed.as(MemberAccessExprSyntax.self)
            .map { $0.with(\.declName.baseName.tokenKind, .identifier(name)).description }
        var kept = arguments.filter { $0.expression.id != handler.id }
        if let index = kept.indices.last {
            kept[index] = kept[index].with(\.trailingComma, nil).with(\.trailingTrivia, [])
            kept[kept.startIndex].leadingTrivia = arguments.first?.leadingTrivia ?? []
        }
        let end = kept.isEmpty ? "" : rightParen?.leadingTrivia.description ?? ""
        let text = "\(callee ?? name)(\(kept)\(end))"
        return text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.hasPrefix(indentation) ? line.dropFirst(indentation.count) : line)
        }
    }
}

extension [CodeBlockItemSyntax] {
    /// The name, if it is mentioned.
    fileprivate func mentioning(_ name: String?) -> String? {
        guard let name, contains(where: { Mentions(in: Syntax($0)).count(of: name) > 0 }) else { return nil }
        return name
    }
}
