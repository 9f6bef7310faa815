// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
extension PublisherHistory {
    var overSimplerSubjects: [PublisherHistory] {
        guard case .cold(let count, let fails) = self.source else { return [] }
        return [1, count / 2, count - 1].filter { $0 > 0 && $0 < count }.map { smaller in
            var copy = self
            copy.source = .cold(count: smaller, fails: fails)
            return copy
        }
    }
}

extension PublisherStep {
    var simpler: [PublisherStep] {
        switch self {
        case .subscribe(let subscriber, let reaction): reaction.simpler.map { .subscribe(subscriber, $0) }
        case .plan(let subscriber, let reaction): reaction.simpler.map { .plan(subscriber, $0) }
        case .request(let subscriber, let count): PublisherHistory.smaller(count).map { .request(subscriber, $0) }
        case .send(let count): PublisherHistory.smaller(count).map { .send($0) }
        case .cancel, .drop, .finish, .fail: []
        }
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
            for count in PublisherHistory.smaller(self.requests[index]) { add { $0.requests[index] = count } }
        }
        for count in PublisherHistory.smaller(self.returns) { add { $0.returns = min(count, $0.returns) } }
        for count in PublisherHistory.smaller(self.sends) { add { $0.sends = min(count, $0.sends) } }
        return all
    }
}
#endif
