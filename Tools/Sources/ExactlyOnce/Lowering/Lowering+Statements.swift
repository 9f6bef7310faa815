// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Lowering {
    mutating func lower(_ statement: StmtSyntax) -> Step {
        switch statement.as(StmtSyntaxEnum.self) {
        case .expressionStmt(let node): return lower(statement: node.expression)
        case .guardStmt(let node): return lower(node)
        case .returnStmt(let node):
            let value = node.expression.map { lower(returned: $0) } ?? .nothing
            var steps = [value]
            if token.scope.answersBool, node.expression?.as(BooleanLiteralExprSyntax.self)?.literal.text == "false" {
                steps.append(.excuse(.refused))
            }
            if let literal = node.expression?.as(BooleanLiteralExprSyntax.self) {
                steps.append(.excuse(literal.literal.tokenKind == .keyword(.true) ? .saidYes : .saidNo))
            }
            if let answer, let literal = node.expression?.as(BooleanLiteralExprSyntax.self) {
                steps.append(.learn(answer, literal.literal.tokenKind == .keyword(.true)))
            }
            if let value = node.expression {
                steps.append(.excuse(value.isNil ? .answeredNil : token.scope.answersOptional ? .answeredValue : []))
            }
            if node.expression?.is(StringLiteralExprSyntax.self) == true { steps.append(.excuse(.answeredText)) }
            return .all(steps + [.exit(Exit(kind: .return, position: node.start))])
        case .throwStmt(let node):
            let value = lower(node.expression, isStatement: false)
            return .all([value, .exit(Exit(kind: .throw, position: node.start))])
        case .breakStmt(let node):
            return .exit(Exit(kind: .break(node.label?.text), position: node.start))
        case .continueStmt(let node):
            return .exit(Exit(kind: .continue(node.label?.text), position: node.start))
        case .fallThroughStmt(let node): return .exit(Exit(kind: .fallthrough, position: node.start))
        case .whileStmt(let node): return lower(node, label: nil)
        case .forStmt(let node): return lower(node, label: nil)
        case .repeatStmt(let node): return lower(node, label: nil)
        case .doStmt(let node): return lower(node)
        case .labeledStmt(let node): return lower(node)
        case .deferStmt(let node): return lower(node.body)
        // `yield`, `discard`, and what later compilers bring.
        default: return mentions(statement) ? .escape : .nothing
        }
    }

    private mutating func lower(returned value: ExprSyntax) -> Step {
        // What a returned call does happens before the end: nobody here looks at its value.
        isToken(value) ? .escape : lower(value, isStatement: true)
    }

    private mutating func lower(_ node: GuardStmtSyntax) -> Step {
        let outer = names
        let condition = lower(node.conditions)
        let inner = names
        names = outer
        let body = lower(node.body)
        names = inner
        return .branch(Branch(position: node.start, condition: condition, then: .nothing, otherwise: body))
    }

    mutating func lower(_ node: IfExprSyntax) -> Step {
        let outer = names
        let condition = lower(node.conditions)
        let then = lower(node.body)
        names = outer
        let otherwise: Step =
            switch node.elseBody {
            case .codeBlock(let block)?: lower(block)
            case .ifExpr(let next)?: lower(next)
            case nil: .nothing
            }
        return .branch(
            Branch(
                position: node.start,
                condition: condition,
                then: then,
                otherwise: otherwise,
                hasElse: node.elseBody != nil
            )
        )
    }

    mutating func lower(_ node: SwitchExprSyntax) -> Step {
        let subject = node.subject
        let before = lower(subject, isStatement: false, isCondition: true)
        var cases: [Selection.Case] = []
        lower(node.cases, subject: subject, into: &cases)
        if let last = cases.last, let other = node.cases.last?.as(SwitchCaseSyntax.self),
            case .default = other.label, Names.areAllEnds(node.cases.namedCases)
        {
            cases[cases.count - 1].body = .all([.excuse(.futureCase), last.body])
        }
        // A `switch` is exhaustive: its last case takes what is left.
        if let last = cases.indices.last { cases[last].condition = .any([cases[last].condition, .constant(true)]) }
        return .all([before, .select(Selection(cases: cases))])
    }

    private mutating func lower(
        _ list: SwitchCaseListSyntax,
        subject: ExprSyntax,
        into cases: inout [Selection.Case]
    ) {
        for element in list {
            switch element {
            case .switchCase(let node):
                let outer = names
                defer { names = outer }
                var condition = Condition.constant(true)
                if case .case(let label) = node.label {
                    condition = .any(
                        label.caseItems.map { item in
                            let matches = matches(item.pattern, subject)
                            guard let filter = item.whereClause?.condition else { return matches }
                            return .all([matches, lower(condition: filter)])
                        }
                    )
                }
                var body = lower(body: node.statements)
                if node.attribute != nil { body = .all([.excuse(.futureCase), body]) }
                cases.append(Selection.Case(position: node.start, condition: condition, body: body))
            case .ifConfigDecl(let config):
                for clause in config.clauses {
                    guard case .switchCases(let inner)? = clause.elements else { continue }
                    lower(inner, subject: subject, into: &cases)
                }
            }
        }
    }

    // MARK: Loops

    private mutating func lower(_ node: WhileStmtSyntax, label: String?) -> Step {
        let outer = names
        defer { names = outer }
        let condition = lower(node.conditions)
        let isEndless = node.conditions.count == 1 && node.conditions.first?.condition.key == "true"
        let body = inLoop { $0.lower(node.body) }
        let kind = isEndless ? Loop.Kind.endless : .any
        return .loop(Loop(position: node.start, kind: kind, label: label, condition: condition, body: body))
    }

    private mutating func lower(_ node: RepeatStmtSyntax, label: String?) -> Step {
        let body = inLoop { $0.lower(node.body) }
        let condition = lower(condition: node.condition)
        let isEndless = node.condition.key == "true"
        let kind = isEndless ? Loop.Kind.endless : .atLeastOnce
        return .loop(Loop(position: node.start, kind: kind, label: label, condition: condition, body: body))
    }

    private mutating func lower(_ node: ForStmtSyntax, label: String?) -> Step {
        let outer = names
        defer { names = outer }
        let before = lower(node.sequence, isStatement: false)
        let mayThrow: Step = node.tryKeyword == nil ? .nothing : .mayThrow(node.start)
        let bound = node.pattern.boundNames
        names.shadow(bound)
        var body = Step.all(bound.map { .forget($0) } + [mayThrow])
        if let filter = node.whereClause?.condition {
            let condition = lower(condition: filter)
            let rest = inLoop { $0.lower(node.body) }
            body = .all([
                body,
                .branch(Branch(position: node.start, condition: condition, then: rest, otherwise: .nothing)),
            ])
        } else {
            body = .all([body, inLoop { $0.lower(node.body) }])
        }
        var loop = Loop(position: node.start, kind: .any, label: label, condition: .test(nil), body: body)
        if node.whereClause == nil { loop.isEmpty = isEmpty(node.sequence) }
        return .all([before, .loop(loop), mayThrow])
    }

    /// In a loop, a closure with the token is one of several: a counter decides which of them delivers.
    mutating func inLoop(_ lower: (inout Lowering) -> Step) -> Step {
        loops += 1
        defer { loops -= 1 }
        return lower(&self)
    }

    private mutating func lower(_ node: LabeledStmtSyntax) -> Step {
        let label = node.label.text
        if let loop = node.statement.as(WhileStmtSyntax.self) { return lower(loop, label: label) }
        if let loop = node.statement.as(ForStmtSyntax.self) { return lower(loop, label: label) }
        if let loop = node.statement.as(RepeatStmtSyntax.self) { return lower(loop, label: label) }
        return .labeled(label, lower(node.statement))
    }

    // MARK: Errors

    private mutating func lower(_ node: DoStmtSyntax) -> Step {
        let canThrowOutside = canThrow
        if !node.catchClauses.isEmpty { canThrow = true }
        let body = lower(node.body)
        canThrow = canThrowOutside
        guard !node.catchClauses.isEmpty else { return body }
        var catches: [Selection.Case] = []
        var catchesAll = false
        for clause in node.catchClauses {
            let outer = names
            defer { names = outer }
            let items = Array(clause.catchItems)
            var conditions: [Condition] = []
            for item in items {
                guard let pattern = item.pattern else { continue }
                names.shadow(pattern.boundNames)
                guard !pattern.takesAnyError || item.whereClause != nil else { continue }
                conditions.append(item.whereClause.map { lower(condition: $0.condition) } ?? .test(nil))
            }
            let takesAll = conditions.count < max(1, items.count)
            catchesAll = catchesAll || takesAll
            let body = lower(clause.body)
            let condition = takesAll ? Condition.constant(true) : .any(conditions)
            catches.append(Selection.Case(position: clause.start, condition: condition, body: body))
        }
        // Where no error may leave, the clauses are exhaustive together: the compiler has checked that.
        let isExhaustive = catchesAll || !canThrow
        return .attempt(Attempt(position: node.start, body: body, catches: catches, isExhaustive: isExhaustive))
    }
}

extension PatternSyntax {
    /// Whether each error matches it: `let error`, `_`, `let error as NSError`, `is any Error`.
    ///
    /// Every error can be converted to an `NSError`, and is an `Error`.
    fileprivate var takesAnyError: Bool {
        if self.is(WildcardPatternSyntax.self) || self.is(IdentifierPatternSyntax.self) { return true }
        if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.takesAnyError }
        if let check = self.as(IsTypePatternSyntax.self) { return check.type.isAnyError }
        guard let expression = self.as(ExpressionPatternSyntax.self)?.expression.bare else { return false }
        if expression.is(DiscardAssignmentExprSyntax.self) { return true }
        if let inner = expression.as(PatternExprSyntax.self) { return inner.pattern.takesAnyError }
        guard let elements = expression.as(SequenceExprSyntax.self).map({ Array($0.elements) }), elements.count == 3,
            elements[1].is(UnresolvedAsExprSyntax.self), let type = elements[2].as(TypeExprSyntax.self)?.type,
            type.isAnyError
        else { return false }
        return elements[0].is(DiscardAssignmentExprSyntax.self)
            || elements[0].as(PatternExprSyntax.self)?.pattern.takesAnyError == true
    }
}

extension TypeSyntax {
    fileprivate var isAnyError: Bool {
        ["NSError", "Error", "anyError", "Swift.Error", "anySwift.Error"].contains(withoutParentheses.key)
    }
}

extension SwitchCaseListSyntax {
    /// The enumeration's cases that stand in it by name.
    fileprivate var namedCases: Set<String> {
        Set(
            flatMap { element -> [String] in
                guard case .switchCase(let node) = element, case .case(let label) = node.label else { return [] }
                return label.caseItems.compactMap(\.pattern.caseName?.name)
            }
        )
    }
}
