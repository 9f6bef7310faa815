// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// Finds the properties of a file's types that hold one continuation, or a handler.
final class StoredProperties: SyntaxVisitor {
    struct Property: Sendable {
        var name: String
        var position: Int
        var isUnsafe: Bool
        /// Whether it is emptied once its continuation is resumed.
        var isOptional: Bool
    }

    /// The properties by the names of their types.
    struct Found: Sendable {
        var continuations: [String: [Property]] = [:]
        var handlers: [String: [Property]] = [:]
    }

    private var found = Found()
    private let knowledge: Knowledge

    private init(_ knowledge: Knowledge) {
        self.knowledge = knowledge
        super.init(viewMode: .sourceAccurate)
    }

    /// Those with continuations, by the names of their types.
    static func byType(in file: SourceFile) -> [String: [Property]] {
        guard file.identifiers.mentionsContinuation(in: file.tree) else { return [:] }
        return all(in: file, Knowledge()).continuations
    }

    /// Those with continuations and those with handlers.
    static func all(in file: SourceFile, _ knowledge: Knowledge) -> Found {
        guard file.identifiers.mentionsStored(in: file.tree) else { return Found() }
        let finder = StoredProperties(knowledge)
        finder.walk(file.tree)
        return finder.found
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        guard let type = node.enclosingType else { return .skipChildren }
        for binding in node.bindings {
            guard let annotation = binding.typeAnnotation?.type, let name = binding.pattern.boundNames.first else {
                continue
            }
            let continuation = ContinuationType(annotation, knowledge)
            let shape = Names.isCompletion(name) ? HandlerShape(annotation, knowledge) : nil
            let property = Property(
                name: name,
                position: binding.start,
                isUnsafe: continuation?.isUnsafe == true,
                isOptional: continuation?.isOptional ?? shape?.isOptional ?? false
            )
            if let continuation {
                if continuation.isCollection { continue }
                found.continuations[type, default: []].append(property)
            } else if shape != nil {
                found.handlers[type, default: []].append(property)
            }
        }
        return .skipChildren
    }
}

extension VariableDeclSyntax {
    /// The type of which it is a member.
    fileprivate var enclosingType: String? {
        guard let owner = parent?.as(MemberBlockItemSyntax.self)?.parent?.parent?.parent else { return nil }
        if let type = owner.as(ClassDeclSyntax.self) { return type.name.text }
        if let type = owner.as(ActorDeclSyntax.self) { return type.name.text }
        if let type = owner.as(StructDeclSyntax.self) { return type.name.text }
        return nil
    }
}
