// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A delivery while a lock is held.
struct DeliverUnderLock: Rule {
    static let page = RulePage(
        id: "deliver-under-lock",
        summary: "A handler is called, or a continuation resumed, while a lock is held.",
        levels: "warning for handlers, note for continuations",
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
        scope.trace.underLock.map { delivery in
            scope.finding(
                Self.self,
                scope.token.isContinuation ? .note : .warning,
                at: delivery.position,
                "\(scope.noun) is \(scope.verb) while a lock is held"
            )
        }
    }
}
