// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A delivery while a lock is held.
struct DeliverUnderLock: Rule {
    static let page = RulePage(
        id: "deliver-under-lock",
        summary: "A handler is called, or a continuation resumed, while a lock is held.",
        levels: "warning for handlers, note for continuations and on a queue that is waited for with `sync`",
        why: """
            A handler is the caller's code. If it calls back into this object, it waits for the lock that its own thread
            holds: a deadlock. A continuation only puts its task into a queue, but an executor may do more.
            """,
        bad: """
            func finish(completion: (Int) -> Void) {
                lock.withLock {
                    count += 1
                    completion(count)
                }
            }
            """,
        good: """
            func finish(completion: (Int) -> Void) {
                let count = lock.withLock {
                    count += 1
                    return count
                }
                completion(count)
            }
            """,
        instead: """
            // ReplySlot delivers outside its lock.
            private let reply = ReplySlot<Int>()
            func finish() { reply.resume(returning: count) }
            """,
        limits: "It knows locks by the names of their functions: `lock`, `unlock`, `withLock`, `sync`."
    )

    func findings(in scope: ScopeReport) -> [Finding] {
        var seen: Set<Int> = []
        return scope.trace.underLock.sorted { !$0.isOnlyQueue && $1.isOnlyQueue }.compactMap { found in
            guard seen.insert(found.delivery.position).inserted else { return nil }
            return scope.finding(
                Self.self,
                scope.token.isContinuation || found.isOnlyQueue ? .note : .warning,
                at: found.delivery.position,
                found.isOnlyQueue
                    ? "\(scope.noun) is \(scope.verb) on a queue that others wait for"
                    : "\(scope.noun) is \(scope.verb) while a lock is held"
            )
        }
    }
}
