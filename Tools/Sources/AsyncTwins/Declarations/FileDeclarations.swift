// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftSyntax

/// A function, and where it is.
struct DeclaredFunction: Sendable {
    /// The function; an initializer is turned into one, for its parameters.
    let node: FunctionDeclSyntax
    /// What it does, also that of an initializer.
    let body: CodeBlockSyntax?
    let isInitializer: Bool
    let context: DeclarationContext
    let location: Location

    var name: String { node.name.text }

    var parameters: [FunctionParameterSyntax] { Array(node.signature.parameterClause.parameters) }

    var labels: [String] { parameters.map(\.firstName.text) }

    var isAsync: Bool { node.signature.effectSpecifiers?.asyncSpecifier != nil }

    /// What it is called in reports: with its type and its labels.
    var title: String {
        let name = isInitializer ? "init" : name
        let labels = labels.map { $0 + ":" }.joined()
        return (context.path + ["\(name)(\(labels))"]).joined(separator: ".")
    }

    /// The macro that writes its twin already.
    var macro: String? {
        let names = node.attributes.compactMap { $0.as(AttributeSyntax.self)?.attributeName.trimmedDescription }
        return names.first { ["Bridged", "BridgedAs"].contains($0) } ?? context.macro
    }

    /// The access that is written, or follows from what is around.
    var access: Access { min(Access(node.modifiers) ?? context.memberAccess, context.limit) }
}

extension DeclaredFunction {
    /// Its parameters with labels and types.
    var written: [String] { parameters.map { "\($0.firstName.text):\($0.type.trimmedDescription)" } }

    /// What it returns, as it is written; empty for nothing.
    var result: String {
        let type = node.signature.returnClause?.type.trimmedDescription ?? ""
        return TwinReplacement.isVoid(type) ? "" : type
    }

    /// Whether another function takes just what this async one takes, beside a handler, and the given one does not.
    func isThat(of overloads: Set<[String]>, ratherThanOf function: DeclaredFunction) -> Bool {
        !isContained(in: function.written) && overloads.contains(where: isContained)
    }

    /// Whether its parameters are among others, in their order.
    private func isContained(in others: [String]) -> Bool {
        var rest = written[...]
        for other in others where other == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}

/// A type alias, and where it is.
struct DeclaredAlias: Sendable {
    /// The names of the types around.
    let path: [String]
    let name: String
    let parameters: [String]
    let type: TypeSyntax
}

/// A protocol that looks like that of delegates.
struct DeclaredDelegate: Sendable {
    let node: ProtocolDeclSyntax
    let context: DeclarationContext
    let location: Location
}

/// What one file declares, as far as twins are concerned.
struct FileDeclarations: Sendable {
    var functions: [DeclaredFunction] = []
    var aliases: [DeclaredAlias] = []
    /// The types, by their names with those around them.
    var types: [String: Access] = [:]
    /// The names of the classes, without the types around.
    var classes: Set<String> = []
    /// What types conform to or inherit from, by their names.
    var inherited: [String: Set<String>] = [:]
    var delegates: [DeclaredDelegate] = []
    /// The imports, with the `#if` around them.
    var imports: [String] = []
    /// The lines of the comment that says who may use the file.
    var license: [String] = []

    init(_ file: SourceFile, module: String) {
        let finder = DeclarationFinder(file, module: module)
        finder.walk(file.tree)
        self = finder.found
        self.imports = ImportLines.all(in: file.tree)
        self.license = LicenseComment.lines(of: file.tree)
    }

    fileprivate init() {}
}

private final class DeclarationFinder: SyntaxVisitor {
    var found = FileDeclarations()
    private let file: SourceFile
    private let module: String
    private var contexts = [DeclarationContext()]

    init(_ file: SourceFile, module: String) {
        self.file = file
        self.module = module
        super.init(viewMode: .sourceAccurate)
    }

    private var context: DeclarationContext { contexts[contexts.count - 1] }

    private func location(_ node: some SyntaxProtocol) -> Location {
        file.location(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    // MARK: Functions

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        found.functions.append(
            DeclaredFunction(
                node: node,
                body: node.body,
                isInitializer: false,
                context: context,
                location: location(node.name)
            )
        )
        return .skipChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        let function = FunctionDeclSyntax(
            attributes: node.attributes,
            modifiers: node.modifiers,
            name: .identifier("make"),
            genericParameterClause: node.genericParameterClause,
            signature: node.signature,
            genericWhereClause: node.genericWhereClause
        )
        found.functions.append(
            DeclaredFunction(
                node: function,
                body: node.body,
                isInitializer: true,
                context: context,
                location: location(node.initKeyword)
            )
        )
        return .skipChildren
    }

    override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
        found.aliases.append(
            DeclaredAlias(
                path: context.path,
                name: node.name.text,
                parameters: node.genericParameterClause?.parameters.map(\.name.text) ?? [],
                type: node.initializer.value
            )
        )
        return .skipChildren
    }

    // MARK: Contexts

    private func enter(_ node: some DeclGroupSyntax & NamedDeclSyntax, _ kind: DeclarationContext.Kind = .type)
        -> SyntaxVisitorContinueKind
    {
        let inner = context.inside(node, named: node.name.text, kind)
        contexts.append(inner)
        found.types[inner.extended] = inner.limit
        inherit(node.inheritanceClause, inner.extended)
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node) }

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
        found.classes.insert(node.name.text)
        return enter(node)
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text.hasSuffix("Delegate") {
            found.delegates.append(DeclaredDelegate(node: node, context: context, location: location(node.name)))
        }
        return enter(node, .protocol)
    }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        var path = node.extendedType.path
        if path.count > 1, path[0] == module { path.removeFirst() }
        contexts.append(context.inside(node, of: path))
        inherit(node.inheritanceClause, path.joined(separator: "."))
        return .visitChildren
    }

    private func inherit(_ clause: InheritanceClauseSyntax?, _ type: String) {
        let names = clause?.inheritedTypes.flatMap { $0.type.conformances } ?? []
        found.inherited[type, default: []].formUnion(names)
    }

    override func visitPost(_ node: StructDeclSyntax) { contexts.removeLast() }
    override func visitPost(_ node: ClassDeclSyntax) { contexts.removeLast() }
    override func visitPost(_ node: EnumDeclSyntax) { contexts.removeLast() }
    override func visitPost(_ node: ActorDeclSyntax) { contexts.removeLast() }
    override func visitPost(_ node: ProtocolDeclSyntax) { contexts.removeLast() }
    override func visitPost(_ node: ExtensionDeclSyntax) { contexts.removeLast() }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        guard let condition = CompileCondition(node) else { return .visitChildren }
        contexts[contexts.count - 1].conditions.append(condition)
        return .visitChildren
    }

    override func visitPost(_ node: IfConfigClauseSyntax) {
        if CompileCondition(node) != nil { contexts[contexts.count - 1].conditions.removeLast() }
    }

    // MARK: What declares nothing that others see

    override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

extension TypeSyntax {
    /// The names of the types of `A & B`.
    fileprivate var conformances: [String] {
        if let composition = self.as(CompositionTypeSyntax.self) {
            return composition.elements.flatMap { $0.type.conformances }
        }
        if let attributed = self.as(AttributedTypeSyntax.self) { return attributed.baseType.conformances }
        return [path.joined(separator: ".")]
    }

    /// The names of a type and of those around it, without arguments.
    var path: [String] {
        if let type = self.as(IdentifierTypeSyntax.self) { return [type.name.text] }
        if let type = self.as(MemberTypeSyntax.self) { return type.baseType.path + [type.name.text] }
        return [trimmedDescription]
    }
}
