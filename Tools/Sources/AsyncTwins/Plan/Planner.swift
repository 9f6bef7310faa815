// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
package import ExactlyOnce
import SwiftSyntax

/// Decides which functions of a package get twins.
///
/// It is made of what all files tell together. Then the files can be planned one by one, on several threads.
package struct Planner: Sendable {
    private let takesInternal: Bool
    private let takesPrivate: Bool
    private let writesMacros: Bool
    let knowledge: Knowledge
    private var aliases: [String: AliasTable] = [:]
    /// The access of types, by module and name.
    private var types: [String: Access] = [:]
    /// The names of types without those around them.
    private var typeNames: Set<String> = []
    /// What types conform to or inherit from, by their names.
    private(set) var inherited: [String: Set<String>] = [:]
    private var asyncFunctions: [String: [AsyncFunction]] = [:]
    /// The functions that are not async, by module, type and name.
    private var overloads: [String: [DeclaredFunction]] = [:]
    /// The functions that are called like registrations.
    private(set) var repeating: Set<String> = []
    private let everywhere: AliasTable
    /// The classes whose objects closures may use only until they return.
    private let lent: LentValues
    private let errors: ErrorTypes

    private struct AsyncFunction: Sendable {
        var identity: String
        var function: DeclaredFunction
    }

    /// Reads what files tell.
    ///
    /// - Parameters:
    ///   - files: All files of the package.
    ///   - apis: How well-known functions call their closures.
    ///   - takesInternal: Whether functions that only the package sees get twins.
    ///   - takesPrivate: Whether twins reach what is private, because they are in the same file. It needs the former.
    ///   - writesMacros: Whether twins are written by attributes, so that reasons name the arguments of those.
    package init(
        _ files: [FileFacts],
        apis: APITable = .standard,
        takesInternal: Bool = false,
        takesPrivate: Bool = false,
        writesMacros: Bool = false
    ) {
        self.takesInternal = takesInternal
        self.takesPrivate = takesPrivate
        self.writesMacros = writesMacros
        var knowledge = Knowledge()
        knowledge.apis = apis
        var everywhere = AliasTable()
        var lent = LentValues()
        var declared: Set<String> = []
        for file in files {
            knowledge.merge(file.knowledge)
            everywhere.add(file.declarations)
            lent.add(file.declarations)
            aliases[file.module, default: AliasTable()].add(file.declarations)
            inherited.merge(file.declarations.inherited) { $0.union($1) }
            typeNames.formUnion(
                file.declarations.types.keys.compactMap { $0.split(separator: ".").last.map(String.init) }
            )
            declared.formUnion(file.declarations.types.keys)
            for (name, access) in file.declarations.types { types["\(file.module).\(name)"] = access }
            for function in file.declarations.functions {
                if function.isAsync {
                    asyncFunctions[Self.key(function, file.module), default: []].append(
                        AsyncFunction(identity: Generator.identity(of: function.node), function: function)
                    )
                    continue
                }
                let key = Self.key(function, file.module) + " " + function.name
                overloads[key, default: []].append(function)
                if Generator.looksLikeSeveralShots(function.node) { repeating.insert(function.name) }
            }
        }
        self.knowledge = knowledge
        self.everywhere = everywhere
        self.lent = lent
        errors = ErrorTypes(declared, inherited)
    }

    static func key(_ function: DeclaredFunction, _ module: String) -> String {
        "\(module).\(function.context.typeName)"
    }

    // MARK: One file

    /// A function whose handlers have been found.
    private struct Candidate {
        var function: DeclaredFunction
        var meanings: [String: TypeSyntax]
        var completion: Generator.Completion?
        var refusal: Refusal?

        /// Whether it waits for no answer, and only keeps what it is given for somebody else.
        var onlyHoldsHandlers: Bool {
            let anchor = refusal?.anchor.positionAfterSkippingLeadingTrivia
            let handlers =
                completion?.parameters
                ?? function.parameters.indices.filter { index in
                    let parameter = function.parameters[index]
                    return parameter.type.handlerFunction(meanings) != nil
                        || anchor.map { (parameter.position..<parameter.endPosition).contains($0) } == true
                }
            return HeldHandlers(function, handlers, meanings).areAll
        }
    }

    /// The functions of a file that have a completion handler.
    package func functions(in file: FileFacts) -> [PlannedFunction] {
        let candidates = file.declarations.functions.compactMap { candidate($0, in: file.module) }
        let positions = candidates.map { candidate in
            let parameters = candidate.function.parameters
            return candidate.completion?.parameters.map { index in
                parameters[index].innerName.positionAfterSkippingLeadingTrivia.utf8Offset
            } ?? []
        }
        let wanted = Set(zip(candidates, positions).filter { !$0.0.function.isInitializer }.flatMap(\.1))
        let uses = Analysis(knowledge: knowledge).uses(ofHandlersAt: wanted, in: file.file)
        return zip(candidates, positions).compactMap { candidate, positions in
            let planned = plan(candidate, positions.compactMap { uses[$0] }, in: file)
            return planned.isRejected && candidate.onlyHoldsHandlers ? nil : planned
        }
    }

    private func candidate(_ function: DeclaredFunction, in module: String) -> Candidate? {
        guard !function.isAsync, !function.parameters.isEmpty else { return nil }
        var meanings = aliases[module]?.meanings(for: function) ?? [:]
        meanings.merge(everywhere.meanings(for: function)) { own, _ in own }
        meanings.merge(errors.meanings(for: function, meanings)) { own, _ in own }
        var candidate = Candidate(function: function, meanings: meanings)
        do throws(Refusal) {
            let options = Generator.CautiousOptions(aliases: meanings)
            guard let completion = try Generator.completion(of: function.node, options) else { return nil }
            candidate.completion = completion
        } catch {
            // What may be a completion handler, and what is called before the function returns, is none.
            guard ![.unclearCompletion, .notEscaping].contains(error.reason) else { return nil }
            // A value may be called like a handler.
            if error.reason == .aliasedCompletion, let type = TypeSyntax(error.anchor), isValue(type) { return nil }
            candidate.refusal = error
        }
        return candidate
    }

    /// Whether a type is one that the package declares, or one of values that is known.
    private func isValue(_ type: TypeSyntax) -> Bool {
        let path = type.withoutLayers.path
        return path == ["Subscribers", "Completion"] || path.last.map(typeNames.contains) == true
    }

    private func plan(_ candidate: Candidate, _ uses: [HandlerUse], in file: FileFacts) -> PlannedFunction {
        let handlers = candidate.completion?.parameters ?? []
        var planned = PlannedFunction(
            path: file.file.path,
            module: file.module,
            function: candidate.function,
            meanings: candidate.meanings,
            shape: candidate.completion?.shape,
            handlers: handlers,
            verdict: handlers.count == 1 ? Verdict(uses.first, of: candidate.function) : .unproven,
            decision: .twin
        )
        planned.decision = decision(&planned, candidate.refusal, uses)
        return planned
    }

    private func decision(_ planned: inout PlannedFunction, _ refusal: Refusal?, _ uses: [HandlerUse]) -> Decision {
        let function = planned.function
        if let macro = function.macro { return .existing("the twin of @\(macro)", isNear: false) }
        if let shots = severalShots(planned, uses) { return .severalShots(shots) }
        if function.isInitializer {
            return .refused(
                reason: Refusal.Reason.initialiser.rawValue,
                message: "an initializer cannot have a twin; write a static function that returns the object"
            )
        }
        if let refusal { return refusal.decision(writesMacros) }
        if let lent = lent.first(in: function, handlers: planned.handlers, planned.meanings, knowledge.apis) {
            return .refused(reason: "lentValue", message: lent.message)
        }
        if planned.lendsByItsName {
            return .refused(
                reason: "lentValue",
                message: "it is called like a function that lends what its closure gets, until the closure returns"
            )
        }
        if function.context.isUnavailable {
            return .refused(reason: Refusal.Reason.unavailable.rawValue, message: "nothing may use its type")
        }
        if function.context.kind == .protocol, function.context.typeName.hasSuffix("Delegate") {
            return Self.delegateMethod
        }
        if function.looksLikeADelegates,
            protocols(of: function.context.typeName).union([function.context.typeName]).contains(where: {
                $0.contains("Delegate") || $0.contains("DataSource")
            })
        {
            return Self.delegateMethod
        }
        let access = access(of: function, in: planned.module)
        if access == .private, !takesPrivate { return .hidden(.private) }
        if function.context.isPrivateInType, !writesMacros {
            return .refused(
                reason: "privateInType",
                message: "no extension can name its type, which is private in another; fileprivate would do"
            )
        }
        let outcome = planned.outcome(at: Rung())
        guard let twin = outcome.twins.first else {
            return outcome.refusals.first { !$0.isWarning }?.decision(writesMacros)
                ?? .refused(reason: "unknown", message: "the generator wrote nothing")
        }
        planned.plainTwin = twin
        planned.hasDefaultCompletion = outcome.refusals.contains { $0.reason == .defaultCompletion }
        if let (other, isNear) = existing(planned, twin) {
            if !isNear { planned.existing = other }
            return .existing(other.title, isNear: isNear)
        }
        if let body = function.node.body, !planned.mentionsHandlers(in: body) {
            return .refused(reason: "neverCalled", message: "its body never mentions the handler")
        }
        if let body = function.node.body, planned.returnsWorkToStart(in: body) {
            return .refused(
                reason: "notStarted",
                message: "it returns work that its caller has to start, and a twin would wait for ever. Write one by "
                    + "hand: withCallback { … } that starts it, onCancel: { $0.cancel() }"
            )
        }
        if access < .package, !takesInternal { return .hidden(access) }
        if isBesideSynchronous(planned) { planned.standBesideSynchronous() }
        return .twin
    }

    /// Whether calls of a synchronous function may mean the twin: it has the same name, takes the same arguments, and
    /// returns the same.
    ///
    /// It may be in a protocol of the type. What returns something else, such as a publisher, stays what calls mean
    /// that use that.
    private func isBesideSynchronous(_ planned: PlannedFunction) -> Bool {
        let function = planned.function
        let kept = function.parameters.indices.filter { !planned.handlers.contains($0) }
        let parameters = kept.map { function.parameters[$0] }
        let types = [function.context.typeName] + protocols(of: function.context.typeName)
        return types.contains { type in
            overloads["\(planned.module).\(type) \(function.name)", default: []].contains { other in
                other.title != function.title && other.result.withoutOptional == planned.result.withoutOptional
                    && parameters[...].shareCalls(with: other.parameters[...])
            }
        }
    }

    private static let delegateMethod = Decision.refused(
        reason: "delegateMethod",
        message: "the object whose delegate it is calls it, and nobody else"
    )

    private func severalShots(_ planned: PlannedFunction, _ uses: [HandlerUse]) -> SeveralShots? {
        SeveralShots(
            planned.function.node,
            handlers: planned.handlers,
            meanings: planned.meanings,
            uses: uses,
            repeating: repeating,
            knowledge.apis
        )
    }

    /// The access of a function, with that of the types around wherever they are declared.
    private func access(of function: DeclaredFunction, in module: String) -> Access {
        var access = function.access
        for depth in 0..<function.context.path.count {
            let name = function.context.path.prefix(depth + 1).joined(separator: ".")
            if let type = types["\(module).\(name)"] { access = min(access, type) }
        }
        return access
    }

    /// The async function that is there already, and whether it differs in details.
    private func existing(_ planned: PlannedFunction, _ twin: Twin) -> (DeclaredFunction, isNear: Bool)? {
        let function = planned.function
        let key = Self.key(function, planned.module)
        let overloads = Set(overloads["\(key) \(function.name)", default: []].map(\.written))
        let others = (asyncFunctions[key] ?? []).filter {
            !$0.function.context.conditions.excludes(function.context.conditions)
                && !$0.function.isThat(of: overloads, ratherThanOf: function)
        }
        // The twin may have another name only because callers may leave the completion out.
        let name = function.name
        let parameters = function.parameters
        let kept = parameters.indices.filter { !planned.handlers.contains($0) }.map { parameters[$0] }
        let labels = kept.map(\.firstName.text)
        let same = others.first {
            $0.identity == twin.identity || $0.function.name == name && $0.function.labels == labels
        }
        if let same { return (same.function, isNear: false) }
        let near = others.map(\.function).first { other in
            guard other.name == name || other.name == name + "Async" else { return false }
            return kept.remainder(after: other.labels)?.allSatisfy(\.isOptionalDetail) == true
        }
        return near.map { ($0, isNear: true) }
    }
}
