// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftSyntax

/// The generic parameters that stand for errors: `func load<E: Error>(completion: @escaping (Result<Int, E>) -> Void)`.
///
/// Those that only the handler mentions are erased: a twin throws `any Error`, and nothing could tell it another type.
struct GenericErrors {
    /// All of them.
    let all: Set<String>

    /// Those that the twin does not have.
    let erased: Set<String>

    private let function: FunctionDeclSyntax

    init(of function: FunctionDeclSyntax, without omitted: Set<Int>) {
        self.function = function
        let errors = function.generics.filter { function.constraints(of: $0) == [.error] }
        self.all = Set(errors)
        self.erased = Set(errors).subtracting(function.genericsThatParametersTell(without: omitted))
    }

    /// Erases what is given.
    init(of function: FunctionDeclSyntax, erasing names: Set<String>) {
        self.function = function
        self.all = names
        self.erased = names
    }

    /// The handler as the twin gives it.
    func erasing(_ handler: FunctionTypeSyntax) -> FunctionTypeSyntax {
        guard !self.erased.isEmpty else { return handler }
        return ErrorErasing(self.erased).rewrite(handler).cast(FunctionTypeSyntax.self)
    }

    /// The generic parameters of the twin, in source form.
    var generics: String {
        let rest = self.function.genericParameterClause?.parameters.filter { !self.erased.contains($0.name.text) } ?? []
        guard !rest.isEmpty else { return "" }
        // The twin may not have what tells Swift so.
        let inferred = self.function.inferredErrors
        let sources = rest.map { parameter in
            let text = parameter.with(\.trailingComma, nil).trimmedDescription
            return inferred.contains(parameter.name.text) ? "\(text): \(HubNames.error)" : text
        }
        return "<\(sources.joined(separator: ", "))>"
    }

    /// The requirements of the twin, in source form.
    var requirements: String? {
        let rest = self.function.genericWhereClause?.requirements.filter { element in
            guard case .conformanceRequirement(let requirement) = element.requirement else { return true }
            return !self.erased.contains(requirement.leftType.trimmedDescription)
        }
        guard let rest, !rest.isEmpty else { return nil }
        return "where " + rest.map { $0.with(\.trailingComma, nil).trimmedDescription }.joined(separator: ", ")
    }
}

extension FunctionDeclSyntax {
    /// Refuses generic parameters that nothing would tell to the twin.
    func checkThatGenericsAreTold(
        without omitted: Set<Int> = [],
        erasing erased: Set<String> = [],
        returning returnType: String?
    ) throws(Refusal) {
        var told = self.genericsThatParametersTell(without: omitted).union(erased)
        if let returnType { told.formUnion(TypeSyntax.parsed(returnType).mentionedTypes) }
        guard let clause = self.genericParameterClause,
            let missing = clause.parameters.first(where: { !told.contains($0.name.text) })
        else { return }
        throw Refusal(
            .genericOfHandler,
            """
            nothing tells the twin what '\(missing.name.text)' is: it stands in none of its parameters, nor in what it \
            returns. Add a parameter for it, as in '_ type: \(missing.name.text).Type'
            """,
            at: missing
        )
    }

    /// Whether no parameter tells what one of the generic parameters is.
    func resultAloneTells(without omitted: Set<Int>, erasing erased: Set<String>) -> Bool {
        let told = self.genericsThatParametersTell(without: omitted).union(erased)
        return !self.generics.allSatisfy(told.contains)
    }

    fileprivate enum Constraint { case error, other }

    fileprivate var generics: [String] { self.genericParameterClause?.parameters.map(\.name.text) ?? [] }

    /// What is required of a generic parameter.
    fileprivate func constraints(of name: String) -> Set<Constraint> {
        var types =
            self.genericParameterClause?.parameters.filter { $0.name.text == name }.compactMap(\.inheritedType) ?? []
        var all: Set<Constraint> = []
        for element in self.genericWhereClause?.requirements ?? [] {
            if case .conformanceRequirement(let requirement) = element.requirement,
                requirement.leftType.trimmedDescription == name
            {
                types.append(requirement.rightType)
            } else if element.requirement.mentionedTypes.contains(name) {
                all.insert(.other)
            }
        }
        all.formUnion(types.map { $0.nameInSwift == "Error" ? .error : .other })
        if self.signature.errorTypes.contains(name) { all.insert(.error) }
        return all
    }

    /// The generic parameters that are errors only because of where they stand.
    fileprivate var inferredErrors: Set<String> {
        Set(self.genericParameterClause?.parameters.filter { $0.inheritedType == nil }.map(\.name.text) ?? [])
            .intersection(self.signature.errorTypes)
    }

    /// The generic parameters that the twin's parameters tell, or that follow from those.
    fileprivate func genericsThatParametersTell(without omitted: Set<Int>) -> Set<String> {
        let kept = self.signature.parameterClause.parameters.enumerated().filter { !omitted.contains($0.offset) }
        var told = Set(kept.flatMap(\.element.type.mentionedTypes))
        for element in self.genericWhereClause?.requirements ?? [] {
            if case .sameTypeRequirement(let requirement) = element.requirement {
                told.formUnion(requirement.mentionedTypes)
            }
        }
        return told
    }
}

extension SyntaxProtocol {
    /// The types that are errors because of where they stand: in `throws(Failure)` and in `Result<Value, Failure>`.
    fileprivate var errorTypes: Set<String> {
        let finder = ErrorTypes(viewMode: .sourceAccurate)
        finder.walk(self)
        return finder.names
    }
}

private final class ErrorTypes: SyntaxVisitor {
    var names: Set<String> = []

    override func visit(_ node: ThrowsClauseSyntax) -> SyntaxVisitorContinueKind {
        if let type = node.type { self.names.insert(type.trimmedDescription) }
        return .visitChildren
    }

    override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind {
        let types = node.parent?.as(TypeSyntax.self)?.genericArguments(of: "Result")
        if let types, types.count == 2 { self.names.insert(types[1].trimmedDescription) }
        return .visitChildren
    }
}

/// Writes `any Error` for generic parameters.
private final class ErrorErasing: SyntaxRewriter {
    private let names: Set<String>

    init(_ names: Set<String>) { self.names = names }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        guard self.names.contains(node.name.text) else { return super.visit(node) }
        return .parsed("(any Swift.Error)")
    }
}
#endif
