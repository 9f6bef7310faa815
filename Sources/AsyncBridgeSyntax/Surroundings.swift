// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

/// What is around a declaration, as far as syntax tells: whether it is a member, and of what.
public struct Surroundings: Sendable {
    /// What a declaration may be in.
    public enum Place: Sendable, Equatable {
        case file, function, type, actor, `protocol`
    }

    /// What the declaration is in.
    public let place: Place

    /// The name of the type or the extended type.
    let typeName: String?

    /// The name of the class or actor that the declaration is in, whose `Self` no closure may get.
    let className: String?

    /// The global actor that is written at the type, such as `@MainActor`.
    let globalActor: String?

    /// Whether values of the type are known to be safe elsewhere, as far as its declaration tells.
    ///
    /// In an extension nothing tells otherwise.
    let seemsSendable: Bool

    /// Whether there is only one of each value: `~Copyable` is written.
    let isNoncopyable: Bool

    /// Whether the type is a distributed actor.
    let isDistributed: Bool

    /// Whether members are exposed to Objective-C implicitly.
    let exposesMembers: Bool

    /// Whether the protocol around it gets its twins from a macro of its own.
    let hasProtocolMacro: Bool

    /// Whether the class around it is a delegate whose methods a macro writes.
    let hasDelegateMacro: Bool

    /// The name of a type around that hides a module.
    let hiddenModule: String?

    /// Whether a function runs on an actor, as far as syntax tells.
    func isolates(_ function: FunctionDeclSyntax) -> Bool {
        if function.isOutsideOfActors { return false }
        if function.attributes.written.contains(where: \.isActorOfFunction) { return true }
        return self.globalActor != nil || self.place == .actor && !function.has(.static)
    }

    /// Whether a type mentions the type around.
    func isItself(_ type: TypeSyntax) -> Bool {
        let names = Set(["Self", self.typeName])
        return type.tokens(viewMode: .sourceAccurate).contains { names.contains($0.text) }
    }

    /// Reads the contexts around a declaration, the innermost first, as a macro gets them.
    ///
    /// - Parameters:
    ///   - contexts: The contexts.
    ///   - selectingModules: Whether ``ModuleSelectors`` are written, so that no type around hides a module.
    public init(_ contexts: [Syntax], selectingModules: Bool = false) {
        guard let innermost = contexts.first else {
            self.init(place: .file)
            return
        }
        guard let group = innermost.asProtocol((any DeclGroupSyntax).self) else {
            self.init(place: .function)
            return
        }
        let attributes = group.attributes.written
        self.init(
            place: Self.place(of: innermost),
            typeName: Self.name(of: innermost),
            className: innermost.is(ClassDeclSyntax.self) || innermost.is(ActorDeclSyntax.self)
                ? Self.name(of: innermost) : nil,
            globalActor: attributes.first(where: \.isGlobalActor)?.trimmedDescription,
            seemsSendable: innermost.is(ExtensionDeclSyntax.self) || group.saysThatItIsSendable,
            isNoncopyable: group.inherited.contains { $0.hasPrefix("~") && $0.hasSuffix("Copyable") },
            isDistributed: group.modifiers.contains { $0.name.tokenKind == .keyword(.distributed) },
            exposesMembers: attributes.contains { ["objcMembers", "objc"].contains($0.name) },
            hasProtocolMacro: attributes.contains { $0.name == HubNames.bridgedProtocol },
            hasDelegateMacro: attributes.contains { $0.name == HubNames.delegateEvents },
            hiddenModule: selectingModules
                ? nil : contexts.compactMap(Self.name).first(where: HubNames.modules.contains)
        )
    }

    /// Finds the contexts around a node of a whole file.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - selectingModules: Whether ``ModuleSelectors`` are written.
    public init(around node: some SyntaxProtocol, selectingModules: Bool = false) {
        var contexts: [Syntax] = []
        var parent = node.parent
        while let context = parent {
            if Self.isContext(context) { contexts.append(context) }
            parent = context.parent
        }
        self.init(contexts, selectingModules: selectingModules)
    }

    private init(
        place: Place,
        typeName: String? = nil,
        className: String? = nil,
        globalActor: String? = nil,
        seemsSendable: Bool = true,
        isNoncopyable: Bool = false,
        isDistributed: Bool = false,
        exposesMembers: Bool = false,
        hasProtocolMacro: Bool = false,
        hasDelegateMacro: Bool = false,
        hiddenModule: String? = nil
    ) {
        self.place = place
        self.typeName = typeName
        self.className = className
        self.globalActor = globalActor
        self.seemsSendable = seemsSendable
        self.isNoncopyable = isNoncopyable
        self.isDistributed = isDistributed
        self.exposesMembers = exposesMembers
        self.hasProtocolMacro = hasProtocolMacro
        self.hasDelegateMacro = hasDelegateMacro
        self.hiddenModule = hiddenModule
    }

    private static func isContext(_ node: Syntax) -> Bool {
        node.asProtocol((any DeclGroupSyntax).self) != nil || node.is(FunctionDeclSyntax.self)
            || node.is(ClosureExprSyntax.self) || node.is(AccessorDeclSyntax.self) || node.is(AccessorBlockSyntax.self)
            || node.is(InitializerDeclSyntax.self) || node.is(DeinitializerDeclSyntax.self)
            || node.is(SubscriptDeclSyntax.self)
    }

    private static func place(of context: Syntax) -> Place {
        if context.is(ActorDeclSyntax.self) { return .actor }
        if context.is(ProtocolDeclSyntax.self) { return .protocol }
        return .type
    }

    private static func name(of context: Syntax) -> String? {
        if let named = context.asProtocol((any NamedDeclSyntax).self) { return named.name.trimmedDescription }
        return context.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
    }
}

extension DeclGroupSyntax {
    /// The types after the colon, in source form.
    fileprivate var inherited: [String] {
        self.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    }

    /// Whether `Sendable` is written, or follows from what is: an actor, a structure that no other module sees.
    var saysThatItIsSendable: Bool {
        if self.is(ActorDeclSyntax.self) || self.attributes.written.contains(where: \.isGlobalActor) { return true }
        let inherited = self.inheritanceClause?.inheritedTypes.flatMap(\.type.mentionedTypes) ?? []
        if inherited.contains("Sendable") { return true }
        return (self.is(StructDeclSyntax.self) || self.is(EnumDeclSyntax.self))
            && !self.modifiers.contains { $0.name.text == "public" }
    }
}
#endif
