// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// What names mean in one block: which of them are the token, which are closures that deliver it.
struct NameScope {
    /// A local closure or function that has the token: how often a call of it delivers, and where it is.
    struct Derived {
        var frequency: Frequency
        var position: Int
    }

    /// Names of the token itself.
    var aliases: Set<String>
    /// Local closures and functions that have the token.
    var derived: [String: Derived] = [:]
    /// Parameters of functions and closures: an API sets them, so none of them is a flag of this code.
    var parameters: Set<String>
    /// Other handlers of the function.
    var siblings: Set<String>
    /// What a closure holds weakly, `self` apart.
    var weak: Set<String> = []
    /// What was taken out of a store: who comes second finds nothing there.
    var takenOut: Set<String> = []
    /// What tells one of several closures whether it is the first: what a call under a lock answers that sets a flag.
    var firstOnes: Set<String> = []

    init(_ token: Token) {
        aliases = [token.name]
        parameters = token.scope.parameters
        siblings = token.scope.siblings
    }

    mutating func alias(_ name: String) {
        aliases.insert(name)
        derived[name] = nil
        siblings.remove(name)
    }

    /// These names now mean something else.
    mutating func shadow(_ names: some Sequence<String>) {
        for name in names {
            aliases.remove(name)
            derived[name] = nil
            siblings.remove(name)
            parameters.remove(name)
            weak.remove(name)
            takenOut.remove(name)
            firstOnes.remove(name)
        }
    }

    /// In a closure without named parameters `$0` is its own.
    mutating func shadowDollar() {
        for name in aliases where name.hasPrefix("$") { aliases.remove(name) }
    }
}

extension PatternSyntax {
    /// The names that it binds.
    var boundNames: [String] {
        if let identifier = self.as(IdentifierPatternSyntax.self) { return [identifier.identifier.text] }
        return tokens(viewMode: .sourceAccurate).reduce(into: []) { names, token in
            guard token.parent?.is(IdentifierPatternSyntax.self) == true else { return }
            names.append(token.text)
        }
    }
}

extension ClosureExprSyntax {
    /// The names of its parameters, if they are written.
    var parameterNames: [String] {
        switch signature?.parameterClause {
        case .simpleInput(let list)?: list.map(\.name.text)
        case .parameterClause(let clause)?: clause.parameters.map { ($0.secondName ?? $0.firstName).text }
        case nil: []
        }
    }
}

/// The variables that closures assign which have only captured them: their values change at unknown times.
final class AssignmentsInClosures: SyntaxVisitor {
    private let apis: APITable
    private var names: Set<String> = []
    private var places: [(name: String, closure: ClosureExprSyntax)] = []
    private var closures: [ClosureExprSyntax] = []
    /// For each closure around the code that may run later, the variables that it declares itself.
    private var declared: [Set<String>] = []

    private init(_ apis: APITable) {
        self.apis = apis
        super.init(viewMode: .sourceAccurate)
    }

    /// The variables, and those of them that are set in closures which have the token, too: flags of a race.
    static func names(
        in items: [CodeBlockItemSyntax],
        _ apis: APITable,
        hasToken: (ClosureExprSyntax) -> Bool
    ) -> (all: Set<String>, flags: Set<String>) {
        let visitor = AssignmentsInClosures(apis)
        for item in items { visitor.walk(item) }
        return (visitor.names, Set(visitor.places.filter { hasToken($0.closure) }.map(\.name)))
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        if !isRunInPlace(node) {
            declared.append([])
            closures.append(node)
        }
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) {
        if !isRunInPlace(node) {
            declared.removeLast()
            closures.removeLast()
        }
    }

    private func isRunInPlace(_ closure: ClosureExprSyntax) -> Bool {
        guard let call = closure.parent?.as(FunctionCallExprSyntax.self), let name = call.calledName else {
            return false
        }
        return apis.use(of: name, on: nil, label: nil) == .now
    }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        if !declared.isEmpty { declared[declared.count - 1].formUnion(node.pattern.boundNames) }
        return .visitChildren
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        if let own = declared.last, case .assignment(let target, _, _) = Operation(Array(node.elements)),
            target.count == 1, let name = target[0].root.identifier, !own.contains(name)
        {
            names.insert(name)
            if case .assignment(_, true, let value) = Operation(Array(node.elements)), let closure = closures.last,
                value.first?.is(BooleanLiteralExprSyntax.self) == true
            {
                places.append((name, closure))
            }
        }
        return .visitChildren
    }
}

/// Local variables with `true` or `false` that nothing assigns, and nothing is given to change.
final class UnassignedFlags: SyntaxVisitor {
    private var values: [String: Bool] = [:]
    private var others: Set<String> = []

    static func values(in items: [CodeBlockItemSyntax]) -> [String: Bool] {
        let visitor = UnassignedFlags(viewMode: .sourceAccurate)
        for item in items { visitor.walk(item) }
        return visitor.values.filter { !visitor.others.contains($0.key) }
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        for binding in node.bindings {
            for name in binding.pattern.boundNames {
                // A second variable of the same name may be another one's.
                let isNew = values[name] == nil && node.parent?.is(MemberBlockItemSyntax.self) != true
                guard isNew, let literal = binding.initializer?.value.as(BooleanLiteralExprSyntax.self) else {
                    others.insert(name)
                    continue
                }
                values[name] = literal.literal.tokenKind == .keyword(.true)
            }
        }
        return .visitChildren
    }

    override func visit(_ node: TokenSyntax) -> SyntaxVisitorContinueKind {
        guard case .identifier(let name) = node.tokenKind else { return .skipChildren }
        // Read, it stands alone: whatever else is made of it may change it, and what is bound is another one.
        let isDeclared = node.parent?.is(IdentifierPatternSyntax.self) == true
        let isRead = node.parent?.is(DeclReferenceExprSyntax.self) == true && !node.isChanged
        let isOwn = isDeclared && node.parent?.parent?.is(PatternBindingSyntax.self) == true
        let isMember = node.previousToken(viewMode: .sourceAccurate)?.tokenKind == .period
        let isLabel = node.nextToken(viewMode: .sourceAccurate)?.tokenKind == .colon
        if !isRead, !isOwn, !isMember, !isLabel { others.insert(name) }
        return .skipChildren
    }
}

extension TokenSyntax {
    /// Whether the expression that it is changes it: `x = …`, `&x`, `x.toggle()`.
    fileprivate var isChanged: Bool {
        let next = nextToken(viewMode: .sourceAccurate)?.tokenKind
        let previous = previousToken(viewMode: .sourceAccurate)?.tokenKind
        if next == .equal || next == .period || next == .comma && previous == .leftParen { return true }
        return previous == .prefixAmpersand
    }
}
