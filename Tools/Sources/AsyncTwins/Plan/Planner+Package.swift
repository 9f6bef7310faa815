// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftSyntax

// What all files together say.

extension Planner {
    /// What all files together say: no twin twice, and none of what hands its handler to something that calls it often.
    package func plan(_ functions: [PlannedFunction], _ files: [FileFacts]) -> Plan {
        var functions = functions
        refuseForwarding(&functions)
        leaveToProtocols(&functions)
        leaveToDelegates(&functions)
        refuseDoubles(&functions)
        return Plan(functions: functions, delegates: files.flatMap { DelegateProposal.all(in: $0) })
    }

    private func refuseForwarding(_ functions: inout [PlannedFunction]) {
        var known = repeating
        while true {
            let names = Dictionary(grouping: functions, by: \.name).filter { _, all in
                all.allSatisfy { if case .severalShots = $0.decision { true } else { false } }
            }
            let new = Set(names.keys).subtracting(known).subtracting(["init"])
            guard !new.isEmpty else { return }
            known.formUnion(new)
            for index in functions.indices where functions[index].isTwin {
                let planned = functions[index]
                let shots = SeveralShots(
                    planned.function.node,
                    handlers: planned.handlers,
                    meanings: planned.meanings,
                    uses: [],
                    repeating: new,
                    knowledge.apis
                )
                if let shots { functions[index].decision = .severalShots(shots) }
            }
        }
    }

    /// The twin of a requirement is there for all types that conform: it calls what they implement.
    private func leaveToProtocols(_ functions: inout [PlannedFunction]) {
        var requirements: [String: [Int]] = [:]
        for (index, planned) in functions.enumerated() where planned.isTwin {
            guard planned.function.context.kind == .protocol else { continue }
            requirements[planned.identity(in: planned.function.context.typeName), default: []].append(index)
        }
        guard !requirements.isEmpty else { return }
        var defaults: [Int: [Int: InitializerClauseSyntax]] = [:]
        for index in functions.indices where functions[index].isTwin {
            let planned = functions[index]
            let context = planned.function.context
            guard context.kind != .protocol, context.kind != .file else { continue }
            for name in [context.typeName] + protocols(of: context.typeName).sorted() {
                // The conformance may be there only where the requirement is.
                guard
                    let found = planned.requirement(in: functions, requirements[planned.identity(in: name)] ?? []),
                    functions[found].access >= planned.access, functions[found].function.context.conditions.isEmpty
                else { continue }
                // In async code, calls of that type's synchronous function would mean the protocol's twin.
                if planned.isBesideSynchronous, !functions[found].isBesideSynchronous {
                    functions[found].standBesideSynchronous()
                }
                // Who knows the type may leave out what the protocol's twin wants.
                if name != context.typeName, planned.hasOtherDefaults(than: functions[found]) { break }
                functions[index].decision = .inherited(functions[found].title)
                // Only a default implementation is there for all types, but a caller may know the type.
                let isForAll =
                    name == context.typeName && context.requirements == nil && context.conditions.isEmpty
                for (place, parameter) in planned.function.parameters.enumerated() {
                    guard let value = parameter.defaultValue, isForAll || planned.handlers.contains(place) else {
                        continue
                    }
                    if defaults[found]?[place] == nil { defaults[found, default: [:]][place] = value }
                }
                break
            }
        }
        for (index, values) in defaults { functions[index].adopt(values) }
    }

    /// What a delegate's requirement asks for, only the object whose delegate it is calls.
    private func leaveToDelegates(_ functions: inout [PlannedFunction]) {
        var requirements: [String: Decision] = [:]
        for planned in functions where planned.function.context.kind == .protocol {
            guard case .refused("delegateMethod", _) = planned.decision else { continue }
            requirements[planned.identity(in: planned.function.context.typeName)] = planned.decision
        }
        guard !requirements.isEmpty else { return }
        for index in functions.indices where functions[index].isTwin {
            let type = functions[index].function.context.typeName
            let decisions = ([type] + protocols(of: type)).map { requirements[functions[index].identity(in: $0)] }
            if let decision = decisions.compactMap(\.self).first { functions[index].decision = decision }
        }
    }

    /// Everything that a type conforms to or inherits from.
    func protocols(of type: String) -> Set<String> {
        var found: Set<String> = []
        var waiting = [type]
        while let name = waiting.popLast() {
            for other in inherited[name] ?? [] where found.insert(other).inserted { waiting.append(other) }
        }
        return found
    }

    private func refuseDoubles(_ functions: inout [PlannedFunction]) {
        var written: [String: [(planned: PlannedFunction, result: String)]] = [:]
        for index in functions.indices {
            guard let twin = functions[index].twin else { continue }
            let function = functions[index].function
            let key = "\(Self.key(function, functions[index].module)) \(twin.identity)"
            let others = (written[key] ?? []).filter {
                !$0.planned.function.context.conditions.excludes(function.context.conditions)
            }
            let result = functions[index].result
            if let other = others.first(where: { $0.result == result })?.planned {
                // Another function's twin calls that function: callers of this one must not get it.
                let isSame = other.title == function.title
                functions[index].decision =
                    .existing(isSame ? other.title : "the twin of \(other.title)", isNear: false)
            } else if let other = others.first?.planned {
                functions[index].decision = .refused(
                    reason: "differsInResult",
                    message: """
                        its twin would differ only in what it returns from that of '\(other.title)', \
                        \(other.path):\(other.location.line), and calls of either would be ambiguous. Write one by \
                        hand, with a name of its own
                        """
                )
            } else {
                written[key, default: []].append((functions[index], result))
            }
        }
    }
}
