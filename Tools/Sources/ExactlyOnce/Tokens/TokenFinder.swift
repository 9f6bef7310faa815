// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Finds everything in a file that must be delivered exactly once.
final class TokenFinder: SyntaxVisitor {
    /// Which tokens are wanted beyond those that names announce.
    struct Options: Sendable {
        /// Handlers that only their type announces: one `Result`, or an error at the end.
        var takesTypeShapes = false
        /// Where names of handlers are that are wanted whatever they are called.
        var positions: Set<Int> = []
    }

    private(set) var tokens: [Token] = []
    private let file: SourceFile
    private let knowledge: Knowledge
    private let options: Options
    private var declarations: [String] = []
    /// For each type around the code, whether it is an extension without protocols: maybe that of a protocol.
    private var isPlainExtension: [Bool] = []
    /// Whether the function is made for others to override.
    private var isOpen = false
    private let stored: StoredProperties.Found
    private let stores: StoredContinuations

    private init(_ file: SourceFile, _ knowledge: Knowledge, _ options: Options) {
        self.file = file
        self.knowledge = knowledge
        self.options = options
        self.stored = StoredProperties.all(in: file, knowledge)
        self.stores = StoredContinuations(in: file, knowledge)
        super.init(viewMode: .sourceAccurate)
    }

    static func tokens(in file: SourceFile, knowledge: Knowledge, options: Options = Options()) -> [Token] {
        let finder = TokenFinder(file, knowledge, options)
        finder.walk(file.tree)
        return finder.tokens
    }

    private var declaration: String { declarations.joined(separator: ".") }

    // MARK: Functions

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        declarations.append(node.name.text + node.signature.parameterClause.labels)
        let returned = node.signature.returnClause?.type.key
        isOpen = node.modifiers.contains { $0.name.tokenKind == .keyword(.open) }
        defer { isOpen = false }
        take(node.signature, named: node.name.text, body: node.body, answer: returned)
        return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        declarations.append("init" + node.signature.parameterClause.labels)
        take(node.signature, named: nil, body: node.body, answer: nil)
        return .visitChildren
    }

    private func take(
        _ signature: FunctionSignatureSyntax,
        named function: String?,
        body: CodeBlockSyntax?,
        answer: String?
    ) {
        guard let body else { return }
        let parameters = signature.parameterClause.parameters
        let names = Set(parameters.map { ($0.secondName ?? $0.firstName).text })
        take(extractionsIn: body, parameters: names, canThrow: signature.effectSpecifiers?.throwsClause != nil)
        take(storedIn: body)
        take(handlersStoredFor: body, parameters: names)
        let closures = Set(
            parameters.filter { HandlerShape($0.type, knowledge) != nil || $0.type.answersNothing || $0.type.isWork }
                .map { ($0.secondName ?? $0.firstName).text }
        )
        for parameter in parameters {
            let name = parameter.secondName ?? parameter.firstName
            if let type = ContinuationType(parameter.type, knowledge) {
                take(type, parameter, of: signature, named: function, body, names)
                continue
            }
            guard let shape = HandlerShape(parameter.type, knowledge) else { continue }
            let isNamed = Names.isCompletion(name.text) || Names.isCompletion(parameter.firstName.text)
            let isWanted = options.positions.contains(name.start)
            guard isNamed || isWanted || options.takesTypeShapes && shape.isAnswer else { continue }
            // Nothing at all is what stand-ins do, and the defaults of a protocol's extension.
            let isOwed = isNamed && !shape.isOptional && parameter.type.isEscaping
            guard !body.statements.isEmpty || isOwed && !isStandIn else { continue }
            // `onSuccess completion:` is one of a pair: it need not be called.
            let isHalf = Names.isHalfOfAPair(parameter.firstName.text)
            var scope = scope(of: body, signature, answer, names)
            scope.siblings = closures.subtracting([name.text])
            scope.isAtMostOnce = isHalf
            tokens.append(
                Token(
                    kind: .handler,
                    isContinuation: false,
                    name: name.text,
                    position: name.start,
                    isOptional: shape.isOptional,
                    scope: scope,
                    function: isHalf ? nil : function.map { Token.Function($0, parameters, parameter) },
                    takesNothing: shape.takesNothing,
                    isPlainFunction: shape.isPlain,
                    isRebound: shape.takesNothing && body.declares(name.text),
                    isLocal: !shape.isOptional && !parameter.type.isEscaping
                )
            )
        }
    }

    /// A continuation that the function gets: it resumes it, or hands it on.
    private func take(
        _ type: ContinuationType,
        _ parameter: FunctionParameterSyntax,
        of signature: FunctionSignatureSyntax,
        named function: String?,
        _ body: CodeBlockSyntax,
        _ names: Set<String>
    ) {
        let name = parameter.secondName ?? parameter.firstName
        // One without a name is ignored on purpose, and one in a list is a store's.
        guard !type.isCollection, name.text != "_", !body.statements.isEmpty else { return }
        tokens.append(
            Token(
                kind: .continuationParameter,
                isContinuation: true,
                name: name.text,
                position: name.start,
                isOptional: type.isOptional,
                scope: scope(of: body, signature, signature.returnClause?.type.key, names),
                function: function.map {
                    Token.Function($0, signature.parameterClause.parameters, parameter)
                },
                isUnsafe: type.isUnsafe
            )
        )
    }

    /// The body of a function that gets a token.
    private func scope(
        of body: CodeBlockSyntax,
        _ signature: FunctionSignatureSyntax,
        _ answer: String?,
        _ parameters: Set<String>
    ) -> Token.Scope {
        Token.Scope(
            body: Array(body.statements),
            end: body.rightBrace.start,
            canThrow: signature.effectSpecifiers?.throwsClause != nil,
            answersBool: answer == "Bool",
            answersOptional: answer?.hasSuffix("?") == true && answer != "Void?",
            parameters: parameters,
            declaration: declaration
        )
    }

    /// Whether the function may be one that does nothing on purpose.
    private var isStandIn: Bool {
        declarations.contains { Names.isStub($0) } || isPlainExtension.last == true || isOpen
    }

    /// Continuations that the function takes out of where they are stored.
    private func take(extractionsIn body: CodeBlockSyntax, parameters: Set<String>, canThrow: Bool) {
        guard file.identifiers.mentionsStored(in: body) || file.identifiers.contains(anyOf: stores.names, in: body)
        else { return }
        // A value may be named after the end of something: what is called nowhere is no handler.
        for extraction in ExtractionFinder.extractions(in: body, parameters: parameters, stores: stores)
        where extraction.isContinuation || file.tree.calls(extraction.name) {
            let scope = Token.Scope(
                body: Array(extraction.body),
                end: extraction.end,
                canThrow: canThrow,
                declaration: declaration,
                isAtMostOnce: !extraction.isTaken
            )
            tokens.append(
                Token(
                    kind: .extracted,
                    isContinuation: extraction.isContinuation,
                    name: extraction.name,
                    position: extraction.position,
                    isOptional: false,
                    scope: scope,
                    emptying: extraction.emptying
                )
            )
        }
    }

    /// Properties with continuations, as this function uses them.
    private func take(storedIn body: CodeBlockSyntax) {
        guard let type = declarations.dropLast().last, let properties = stored.continuations[type] else { return }
        for property in properties where file.identifiers.contains(property.name, in: body) {
            let scope = Token.Scope(
                body: Array(body.statements),
                end: body.rightBrace.start,
                canThrow: true,
                declaration: declaration,
                isAtMostOnce: true
            )
            tokens.append(
                Token(
                    kind: .stored,
                    isContinuation: true,
                    name: property.name,
                    position: property.position,
                    isOptional: property.isOptional,
                    scope: scope,
                    isUnsafe: property.isUnsafe
                )
            )
        }
    }

    /// Properties with handlers that this function calls itself.
    private func take(handlersStoredFor body: CodeBlockSyntax, parameters: Set<String>) {
        guard let type = declarations.dropLast().last, let properties = stored.handlers[type] else { return }
        for property in properties
        where !parameters.contains(property.name) && file.identifiers.contains(property.name, in: body) {
            let scope = Token.Scope(
                body: Array(body.statements),
                end: body.rightBrace.start,
                canThrow: true,
                parameters: parameters,
                declaration: declaration
            )
            tokens.append(
                Token(
                    kind: .storedHandler,
                    isContinuation: false,
                    name: property.name,
                    position: property.position,
                    isOptional: property.isOptional,
                    scope: scope
                )
            )
        }
    }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        let canThrow = node.effectSpecifiers?.throwsClause != nil
        if let body = node.body { take(extractionsIn: body, parameters: ["newValue", "oldValue"], canThrow: canThrow) }
        return .visitChildren
    }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        declarations.append("deinit")
        if let body = node.body { take(extractionsIn: body, parameters: [], canThrow: false) }
        return .visitChildren
    }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enter("subscript") }

    override func visitPost(_ node: FunctionDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: DeinitializerDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: SubscriptDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: InitializerDeclSyntax) { declarations.removeLast() }

    // MARK: Closures

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.calledName, Names.makesContinuation(name) else { return .visitChildren }
        let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
        if let closure { take(continuationOf: closure) }
        return .visitChildren
    }

    private func take(continuationOf closure: ClosureExprSyntax) {
        let name = closure.parameterNames.first ?? "$0"
        let position = closure.signature?.parameterClause?.start ?? closure.start
        let scope = Token.Scope(
            body: Array(closure.statements),
            end: closure.rightBrace.start,
            declaration: declaration,
            closure: closure
        )
        tokens.append(
            Token(
                kind: .continuation,
                isContinuation: true,
                name: name,
                position: position,
                isOptional: false,
                scope: scope
            )
        )
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        for name in node.parameterNames where Names.isCompletion(name) {
            let answers = node.signature?.returnClause.map { $0.type.key != "Void" } ?? false
            let isUnused =
                !file.identifiers.contains(name, in: node.statements) && !node.statements.isEmpty && !answers
                && name != "completed" && !node.isAnswer
            guard node.statements.calls(name) || isUnused && !node.receivesCompletion else { continue }
            let scope = Token.Scope(
                body: Array(node.statements),
                end: node.rightBrace.start,
                parameters: Set(node.parameterNames),
                declaration: declaration,
                closure: node
            )
            tokens.append(
                Token(
                    kind: .closureHandler,
                    isContinuation: false,
                    name: name,
                    position: node.signature?.parameterClause?.start ?? node.start,
                    isOptional: false,
                    scope: scope
                )
            )
        }
        return .visitChildren
    }

    // MARK: Names of declarations

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text) }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        isPlainExtension.append(node.inheritanceClause == nil)
        return enter(node.extendedType.key)
    }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.bindings.first?.pattern.key ?? "_")
    }
    override func visitPost(_ node: ClassDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: StructDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { declarations.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) {
        declarations.removeLast()
        isPlainExtension.removeLast()
    }
    override func visitPost(_ node: VariableDeclSyntax) { declarations.removeLast() }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
        declarations.append(name)
        return .visitChildren
    }
}

extension Token.Function {
    fileprivate init(_ name: String, _ parameters: FunctionParameterListSyntax, _ parameter: FunctionParameterSyntax) {
        func label(_ parameter: FunctionParameterSyntax) -> String? {
            parameter.firstName.text == "_" ? nil : parameter.firstName.text
        }
        self.name = name
        labels = parameters.map(label)
        self.label = label(parameter)
        isLast = parameters.last == parameter
    }
}

extension ClosureExprSyntax {
    /// Whether it is itself the handler of an answer: its parameters are values.
    fileprivate var isAnswer: Bool {
        guard let label = parent?.as(LabeledExprSyntax.self)?.label?.text else { return false }
        return Names.isCompletion(label) || Names.isHalfLabel(label)
    }

    /// Whether its parameter is how a publisher has ended: a value, not a handler.
    fileprivate var receivesCompletion: Bool {
        if let argument = parent?.as(LabeledExprSyntax.self), let label = argument.label?.text {
            return label.hasPrefix("receive")
        }
        let call = parent?.as(FunctionCallExprSyntax.self) ?? parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
        return call?.calledName == "sink" || call?.calledName == "handleEvents"
            || parent?.is(MultipleTrailingClosureElementSyntax.self) == true
    }
}

extension FunctionParameterClauseSyntax {
    /// The labels, such as `(id:completion:)`.
    var labels: String { "(" + parameters.map { $0.firstName.text + ":" }.joined() + ")" }
}

extension SyntaxProtocol {
    /// Whether it contains a call of this name.
    func calls(_ name: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            guard token.text == name, let reference = token.parent else { return false }
            var node = reference
            while let parent = node.parent,
                parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
            {
                node = parent
            }
            guard let called = ExprSyntax(node) else { return false }
            return node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == called.id
        }
    }
}

extension CodeBlockSyntax {
    /// Whether a statement or closure in it gives a name another meaning.
    fileprivate func declares(_ name: String) -> Bool {
        tokens(viewMode: .sourceAccurate).contains { token in
            guard token.text == name, let parent = token.parent else { return false }
            return parent.is(IdentifierPatternSyntax.self) || parent.is(ClosureShorthandParameterSyntax.self)
                || parent.is(ClosureParameterSyntax.self) || parent.is(ClosureCaptureSyntax.self)
                || parent.is(FunctionParameterSyntax.self) || parent.is(FunctionDeclSyntax.self)
        }
    }
}
