// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A condition, as far as it tells paths apart.
package indirect enum Condition: Sendable {
    /// True or false; the same fact has the same value wherever it is tested again.
    case test(Fact?)
    case constant(Bool)
    case not(Condition)
    case all([Condition])
    case any([Condition])
    /// Runs a step first: a condition may contain calls.
    case after(Step, Condition)
    /// Whether the token itself is there: `if let completion`.
    case present
    /// A flag that says whether the token has been delivered: both ways count as guarded by it.
    case latch(Condition)
    /// Where it is false, a path without delivery has this excuse.
    case excused(Excuse, Condition)
    /// Where it is false, the token is dropped for a reason that has a rule of its own.
    case unless(Drop, Condition)
}

/// Something that is tested in conditions, such as the truth of `isEmpty` or whether `error` is `nil`.
package struct Fact: Hashable, Sendable {
    package var id: Int

    package init(id: Int) { self.id = id }
}

/// The facts of one token's code.
package struct FactTable: Sendable {
    private var ids: [String: Int] = [:]
    private var mentions: [String: [Fact]] = [:]
    private var subjects: [Int: (subject: String, name: String)] = [:]
    private var uses: [Int] = []
    private var parameters: Set<Int> = []
    /// Cases of one subject, of which only one can be.
    private var cases: [String: [Fact]] = [:]

    package init() {}

    /// The fact with this key; `names` are the variables that it depends on.
    package mutating func fact(_ key: String, names: [String]) -> Fact {
        if let id = ids[key] {
            uses[id] += 1
            return Fact(id: id)
        }
        let fact = Fact(id: uses.count)
        ids[key] = fact.id
        uses.append(1)
        for name in Set(names) { mentions[name, default: []].append(fact) }
        return fact
    }

    /// Whether `subject` is the enumeration's case `name`.
    package mutating func fact(subject: String, case name: String, names: [String]) -> Fact {
        let isNew = ids["\(subject)~\(name)"] == nil
        let fact = fact("\(subject)~\(name)", names: names)
        if isNew {
            cases[subject, default: []].append(fact)
            subjects[fact.id] = (subject, name)
        }
        return fact
    }

    /// Whether a closure's parameter is `nil`: this is kept even if it is tested only once.
    package mutating func keep(parameterIsNil fact: Fact) { parameters.insert(fact.id) }

    package func isParameterNil(_ fact: Fact) -> Bool { parameters.contains(fact.id) }

    /// Whether it is tested again anywhere: otherwise it would only multiply paths.
    func isWorthKnowing(_ fact: Fact) -> Bool {
        uses[fact.id] > 1 || parameters.contains(fact.id) || rivals(of: fact).count > 1
    }

    func facts(mentioning name: String) -> [Fact] { mentions[name] ?? [] }

    /// The only other case of the same subject: a `Result` that is no success is a failure.
    func counterpart(of fact: Fact) -> Fact? {
        guard let (subject, name) = subjects[fact.id] else { return nil }
        let pairs = ["success": "failure", "failure": "success", "some": "none", "none": "some"]
        return pairs[name].flatMap { ids["\(subject)~\($0)"] }.map { Fact(id: $0) }
    }

    /// All cases of the same subject, this one too.
    func rivals(of fact: Fact) -> [Fact] { subjects[fact.id].flatMap { cases[$0.subject] } ?? [] }
}
