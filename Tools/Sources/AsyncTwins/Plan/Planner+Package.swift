// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce

// What all files together say.

extension Planner {
    /// What all files together say: no twin twice, and none of what hands its handler to something that calls it often.
    package func plan(_ functions: [PlannedFunction], _ files: [FileFacts]) -> Plan {
        var functions = functions
        refuseForwarding(&functions)
        leaveToProtocols(&functions)
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
        var requirements: [String: PlannedFunction] = [:]
        for planned in functions where planned.isTwin && planned.function.context.kind == .protocol {
            let name = planned.function.context.typeName
            requirements["\(name) \(Generator.identity(of: planned.function.node))"] = planned
        }
        guard !requirements.isEmpty else { return }
        for index in functions.indices where functions[index].isTwin {
            let function = functions[index].function
            guard function.context.kind != .protocol, function.context.kind != .file else { continue }
            let identity = Generator.identity(of: function.node)
            let type = function.context.typeName
            for name in protocols(of: type) {
                // The conformance may be there only where the requirement is.
                guard let requirement = requirements["\(name) \(identity)"],
                    requirement.access >= functions[index].access, requirement.function.context.conditions.isEmpty
                else { continue }
                functions[index].decision = .inherited(requirement.title)
                break
            }
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
        var written: [String: [(title: String, conditions: [CompileCondition])]] = [:]
        for index in functions.indices {
            guard let twin = functions[index].twin else { continue }
            let function = functions[index].function
            let key = "\(Self.key(function, functions[index].module)) \(twin.identity)"
            let conditions = function.context.conditions
            if let other = written[key]?.first(where: { !$0.conditions.excludes(conditions) }) {
                // Another function's twin calls that function: callers of this one must not get it.
                let isSame = other.title == function.title
                functions[index].decision =
                    .existing(isSame ? other.title : "the twin of \(other.title)", isNear: false)
            } else {
                written[key, default: []].append((function.title, conditions))
            }
        }
    }
}
