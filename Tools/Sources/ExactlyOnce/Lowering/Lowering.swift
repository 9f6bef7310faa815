// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Makes steps of the code that has to deliver one token.
///
/// | File                     | What it lowers                                                  |
/// |--------------------------|-----------------------------------------------------------------|
/// | `Lowering`               | blocks, declarations                                            |
/// | `Lowering+Statements`    | `if`, `switch`, loops, `do`, ways out                           |
/// | `Lowering+Conditions`    | what tells paths apart                                          |
/// | `Lowering+Expressions`   | operators, assignments, everything that mentions the token      |
/// | `Lowering+Calls`         | calls: deliveries, delegation, closures that carry the token    |
struct Lowering {
    let token: Token
    let file: SourceFile
    let knowledge: Knowledge
    var facts = FactTable()

    /// What names mean here.
    ///
    /// A copy is kept where a block begins, and restored where it ends.
    var names: NameScope
    /// Variables that a closure assigns: nothing that is known of them lasts.
    let unstable: Set<String>
    /// Those that tell closures with the token whether another one of them has run.
    let flags: Set<String>
    /// Variables that nobody assigns after their declaration: `var isExpired = false`.
    let constants: [String: Bool]

    /// The carriers of the statement that is being lowered: several of them are rivals.
    var carriers = 0
    /// How many loops of this function or closure the code is in.
    var loops = 0
    /// Whether the code is in a closure of which a loop makes several.
    var isOneOfMany = false
    /// Whether the call that comes next makes what a variable is to hold.
    var isBound = false
    /// Whether the expression is an argument of a type's initializer.
    var isPartOfAValue = false
    /// Whether the code is in a closure that holds `self` weakly.
    var hasWeakSelf = false
    /// Whether the function around the code still runs, which keeps `self`.
    var isSelfKept = false
    /// Whether the code asks what methods an object has.
    let hasAskedForMethods: Bool
    /// Whether the innermost function or closure may throw.
    var canThrow: Bool
    /// What the call that comes next is to tell by its closure's answer, and what the closure around the code is to.
    var wantedAnswer: Fact?
    /// Whether the call that comes next is a condition.
    var isAsked = false
    var answer: Fact?
    /// Functions of this scope that never return.
    var neverReturning: Set<String> = []

    private init(_ token: Token, in file: SourceFile, knowledge: Knowledge) {
        self.token = token
        self.file = file
        self.knowledge = knowledge
        self.names = NameScope(token)
        let assigned = AssignmentsInClosures.names(in: token.scope.body, knowledge.apis) { closure in
            file.identifiers.contains(token.name, in: closure)
        }
        (self.unstable, self.flags) = (assigned.all, assigned.flags)
        self.constants = UnassignedFlags.values(in: token.scope.body)
        self.canThrow = token.scope.canThrow
        self.hasAskedForMethods = token.scope.body.contains { file.identifiers.contains("responds", in: $0) }
    }

    /// What the token's scope does with it.
    static func trace(_ token: Token, in file: SourceFile, knowledge: Knowledge) -> Trace {
        var lowering = Lowering(token, in: file, knowledge: knowledge)
        if let closure = token.scope.closure {
            lowering.enter(closure)
            lowering.isSelfKept = token.kind == .continuation && !closure.isInWeakClosure
        }
        var body = lowering.lower(body: token.scope.body)
        if token.emptying != nil { body = .all([.lend, body]) }
        return Interpreter.trace(body, end: token.scope.end, facts: lowering.facts)
    }

    // MARK: What the code mentions

    func mentions(_ node: some SyntaxProtocol) -> Bool {
        file.identifiers.contains(anyOf: names.aliases, in: node)
            || file.identifiers.contains(anyOf: names.derived.keys, in: node)
    }

    /// Whether the expression is the token: its name, or `self.name` for a stored one.
    func isToken(_ expression: ExprSyntax) -> Bool {
        let expression = expression.unwrapped
        if let name = expression.identifier { return names.aliases.contains(name) }
        guard token.isProperty, let member = expression.as(MemberAccessExprSyntax.self),
            member.base?.unwrapped.identifier == "self"
        else { return false }
        return member.declName.baseName.text == token.name
    }

    // MARK: Blocks

    mutating func lower(body: some Collection<CodeBlockItemSyntax>) -> Step {
        let outer = names
        defer { names = outer }
        let functions = body.compactMap { $0.item.as(FunctionDeclSyntax.self) }
        announce(functions)
        let declared = functions.map { declare($0) }
        return .all(declared + [lower(Array(body)[...])])
    }

    mutating func lower(_ block: CodeBlockSyntax) -> Step { lower(body: block.statements) }

    private mutating func lower(_ items: ArraySlice<CodeBlockItemSyntax>) -> Step {
        var steps: [Step] = []
        for index in items.indices {
            let item = items[index].item
            if let emptying = token.emptying, emptying == items[index].start { steps.append(.own) }
            if let statement = item.as(DeferStmtSyntax.self) {
                let body = lower(statement.body)
                let rest = lower(items[(index + 1)...])
                return .all(steps + [.deferring(body, rest: rest)])
            }
            carriers = 0
            steps.append(lower(item))
        }
        return .all(steps)
    }

    private mutating func lower(_ item: CodeBlockItemSyntax.Item) -> Step {
        switch item {
        case .decl(let declaration): lower(declaration)
        case .stmt(let statement): lower(statement)
        case .expr(let expression): lower(statement: expression)
        }
    }

    // MARK: Declarations

    private mutating func lower(_ declaration: DeclSyntax) -> Step {
        if let variable = declaration.as(VariableDeclSyntax.self) {
            return .all(variable.bindings.map { lower($0) })
        }
        if let clauses = declaration.as(IfConfigDeclSyntax.self) { return lower(clauses) }
        if declaration.is(FunctionDeclSyntax.self) { return .nothing }
        return mentions(declaration) ? .escape : .nothing
    }

    private mutating func lower(_ binding: PatternBindingSyntax) -> Step {
        let bound = binding.pattern.boundNames
        guard let value = binding.initializer?.value else {
            let escapes = binding.accessorBlock.map { mentions($0) } ?? false
            names.shadow(bound)
            return escapes ? .escape : .nothing
        }
        if let name = bound.first, bound.count == 1 {
            if isToken(value) {
                if token.isProperty {
                    names.shadow(bound)
                    return .escape
                }
                names.alias(name)
                return .nothing
            }
            if let closure = value.bare.as(ClosureExprSyntax.self), mentions(closure) {
                var inner = self
                inner.isSelfKept = false
                inner.enter(closure)
                let body = inner.lower(body: closure.statements)
                var carrier = Carrier(
                    position: closure.start,
                    end: closure.rightBrace.start,
                    kind: .derived,
                    body: body
                )
                facts = inner.facts
                names.shadow(bound)
                names.derived[name] = derived(&carrier)
                return .carrier(carrier)
            }
        }
        let answer = fact(ofAnswer: value, bound)
        wantedAnswer = answer
        isBound = value.bare.is(FunctionCallExprSyntax.self)
        // `let called: Void? = delegate.load?(completion)`: code that looks at it knows whether the call was skipped.
        let step = lower(value, isStatement: false, isCondition: isSkippable([value]))
        wantedAnswer = nil
        names.shadow(bound)
        if value.isTakenOut { names.takenOut.formUnion(bound) }
        if isOneOfMany, value.bare.as(FunctionCallExprSyntax.self)?.trailingClosure?.testsAndSets == true {
            names.firstOnes.formUnion(bound)
        }
        let forgotten = Step.all(bound.map { .forget($0) })
        return .all(answer == nil ? [step, forgotten, learn(bound, value)] : [forgotten, step])
    }

    /// `let isBusy = lock.withLock { … return true … }`: each `return` tells what the variable is.
    private mutating func fact(ofAnswer value: ExprSyntax, _ bound: [String]) -> Fact? {
        guard let name = bound.first, bound.count == 1,
            let closure = value.bare.as(FunctionCallExprSyntax.self)?.trailingClosure, closure.answersOnlyLiterals
        else { return nil }
        return fact(name, names: [name])
    }

    /// `var isDone = false` is known to be false.
    private mutating func learn(_ bound: [String], _ value: ExprSyntax) -> Step {
        guard let name = bound.first, bound.count == 1 else { return .nothing }
        return learn(name, [name], value)
    }

    /// What a variable is that gets a literal: true or false, `nil` or not.
    mutating func learn(_ key: String, _ names: [String], _ value: ExprSyntax) -> Step {
        var steps: [Step] = []
        if let literal = value.as(BooleanLiteralExprSyntax.self), let fact = fact(key, names: names) {
            steps.append(.learn(fact, literal.literal.tokenKind == .keyword(.true)))
        }
        let isMade = value.as(FunctionCallExprSyntax.self)?.makesValue == true
        if value.isLiteral || isMade, let fact = fact(key + "#nil", names: names) {
            steps.append(.learn(fact, value.isNil))
        }
        return .all(steps)
    }

    /// The clauses of an `#if`: one of them is the code, and the same one wherever the same is asked.
    ///
    /// What no clause is made for says nothing of a delivery that is missing: it may be built for no such system.
    private mutating func lower(_ clauses: IfConfigDeclSyntax) -> Step {
        var cases: [Selection.Case] = []
        for clause in clauses.clauses {
            guard case .statements(let items)? = clause.elements else { continue }
            let condition = clause.condition.map { lower(configuration: $0) } ?? .constant(true)
            cases.append(Selection.Case(position: clause.start, condition: condition, body: lower(Array(items)[...])))
        }
        guard !cases.isEmpty else { return .nothing }
        if clauses.clauses.last?.condition != nil {
            let rest = mentions(clauses) ? Step.excuse(.accepted) : .nothing
            cases.append(Selection.Case(position: clauses.start, condition: .constant(true), body: rest))
        }
        return .select(Selection(cases: cases))
    }

    /// Nested functions may call each other, and themselves: while they are looked at, such a call counts as delivery.
    private mutating func announce(_ functions: [FunctionDeclSyntax]) {
        var waiting = functions
        while let index = waiting.firstIndex(where: { $0.body.map { mentions($0) } ?? false }) {
            let function = waiting.remove(at: index)
            names.derived[function.name.text] = NameScope.Derived(frequency: .always, position: function.start)
        }
    }

    /// A nested function with the token: what its calls count as.
    private mutating func declare(_ function: FunctionDeclSyntax) -> Step {
        let name = function.name.text
        if function.signature.returnClause?.type.key == "Never" { neverReturning.insert(name) }
        guard let body = function.body, mentions(body) else { return .nothing }
        var inner = self
        inner.isSelfKept = false
        inner.names.shadow(function.signature.parameterClause.parameters.map { ($0.secondName ?? $0.firstName).text })
        var carrier = Carrier(
            position: function.start,
            end: body.rightBrace.start,
            kind: .derived,
            body: inner.lower(body: body.statements)
        )
        facts = inner.facts
        names.derived[name] = derived(&carrier)
        return .carrier(carrier)
    }

    private func derived(_ carrier: inout Carrier) -> NameScope.Derived {
        let trace = Interpreter.trace(carrier.body, end: carrier.end, facts: facts)
        // Closures in closures are looked at once, not once for each that they are in.
        carrier.trace = trace
        return NameScope.Derived(frequency: trace.frequency, position: carrier.position)
    }

    /// A closure begins: its parameters hide names, its captures may hold `self` weakly.
    mutating func enter(_ closure: ClosureExprSyntax) {
        let parameters = closure.parameterNames.filter { !names.aliases.contains($0) || closure != token.scope.closure }
        names.shadow(parameters)
        names.parameters.formUnion(parameters)
        if closure != token.scope.closure, parameters.isEmpty { names.shadowDollar() }
        for capture in closure.signature?.capture?.items ?? [] {
            let specifier = capture.specifier?.specifier.tokenKind
            if capture.name.text == "self", specifier == .keyword(.weak) { hasWeakSelf = true }
            if capture.name.text != "self", specifier == .keyword(.weak) { names.weak.insert(capture.name.text) }
            if let value = capture.initializer?.value, isToken(value) { names.alias(capture.name.text) }
        }
    }
}
