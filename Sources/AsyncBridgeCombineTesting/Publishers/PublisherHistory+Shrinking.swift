// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
extension PublisherHistory {
    /// Finds a shorter history that fails in the same way: steps are left out, then what is left is made simpler.
    ///
    /// - Parameters:
    ///   - plays: How often a history may be played.
    ///   - fails: Plays a history, and tells whether it fails in the same way.
    /// - Returns: The shortest that was found.
    func shrunk(plays: Int, _ fails: (PublisherHistory) -> Bool) -> PublisherHistory {
        var best = self
        var plays = plays
        func tries(_ candidate: PublisherHistory) -> Bool {
            guard plays > 0 else { return false }
            plays -= 1
            guard fails(candidate) else { return false }
            best = candidate
            return true
        }
        var isChanged = true
        while isChanged, plays > 0 {
            isChanged = false
            var size = max(1, best.steps.count / 2)
            while size > 0 {
                var start = 0
                while start < best.steps.count {
                    var candidate = best
                    candidate.steps.removeSubrange(start..<min(start + size, best.steps.count))
                    if tries(candidate) { isChanged = true } else { start += size }
                }
                size /= 2
            }
            for index in best.steps.indices {
                for step in best.steps[index].simpler {
                    var candidate = best
                    candidate.steps[index] = step
                    if tries(candidate) {
                        isChanged = true
                        break
                    }
                }
            }
            if case .cold(let count, let fails) = best.source {
                for smaller in [1, count / 2, count - 1] where smaller > 0 && smaller < count {
                    var candidate = best
                    candidate.source = .cold(count: smaller, fails: fails)
                    if tries(candidate) {
                        isChanged = true
                        break
                    }
                }
            }
        }
        return best
    }
}

extension PublisherStep {
    /// Steps that do less, the least first.
    fileprivate var simpler: [PublisherStep] {
        switch self {
        case .subscribe(let subscriber, let reaction): reaction.simpler.map { .subscribe(subscriber, $0) }
        case .plan(let subscriber, let reaction): reaction.simpler.map { .plan(subscriber, $0) }
        case .request(let subscriber, let count): Self.smaller(count).map { .request(subscriber, $0) }
        case .send(let count): Self.smaller(count).map { .send($0) }
        case .cancel, .drop, .finish, .fail: []
        }
    }

    fileprivate static func smaller(_ count: Int) -> [Int] {
        var choices = [1]
        for choice in [2, count / 2, count - 1] where choice > 1 && !choices.contains(choice) { choices.append(choice) }
        return count == Probe.unlimited ? [1] : choices.filter { $0 < count }
    }
}

extension PublisherStep.Reaction {
    fileprivate var simpler: [PublisherStep.Reaction] {
        var all: [PublisherStep.Reaction] = []
        func add(_ change: (inout PublisherStep.Reaction) -> Void) {
            var copy = self
            change(&copy)
            if copy != self { all.append(copy) }
        }
        add { $0 = PublisherStep.Reaction() }
        add { $0.requests = [] }
        if self.requests.count > 1 { for index in self.requests.indices { add { $0.requests.remove(at: index) } } }
        add { $0.sends = 0 }
        add { $0.finishes = false }
        add { $0.cancels = false }
        add { $0.returns = 0 }
        for index in self.requests.indices {
            for count in PublisherStep.smaller(self.requests[index]) { add { $0.requests[index] = count } }
        }
        for count in PublisherStep.smaller(self.returns) { add { $0.returns = min(count, $0.returns) } }
        for count in PublisherStep.smaller(self.sends) { add { $0.sends = min(count, $0.sends) } }
        return all
    }
}
#endif
