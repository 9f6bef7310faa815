// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceHistoryPlayer {
    /// Where the bridge is if it blocks the thread on which its sequences are used: all of them are used on one.
    var place: String {
        let sequences = self.sequences.values.sorted { $0.number < $1.number }
        if let sequence = sequences.first(where: { $0.source.progress.isInStart }) {
            return sequence.source.progress.isInHandler
                ? "in a handler, called inside start, of sequence \(sequence.number)"
                : "inside start of sequence \(sequence.number)"
        }
        if let sequence = sequences.first(where: { $0.sequence.value == nil }) {
            return "while sequence \(sequence.number) is made"
        }
        let iterators = sequences.flatMap { sequence in
            sequence.allIterators.map { (name: "iterator \($0.number) of sequence \(sequence.number)", $0.iterator) }
        }
        let states = iterators.map { ($0.name, state: $0.1.state.value) }
        if let (name, _) = states.first(where: { !$0.state.isMade }) { return "while \(name) is made" }
        let asked = states.filter(\.state.isAsking).map(\.0)
        if !asked.isEmpty { return "in next() of \(asked.joined(separator: " or "))" }
        return "while an iterator or a sequence is released"
    }
}
