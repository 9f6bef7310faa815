// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A mistake that the checker finds, with the page that explains it.
protocol Rule: Sendable {
    static var page: RulePage { get }

    init()

    /// What is wrong in one scope of one token: a function's body, or a closure's that is called later.
    func findings(in scope: ScopeReport) -> [Finding]

    /// What is wrong in a file, apart from its tokens.
    func findings(in file: SourceFile) -> [Finding]
}

extension Rule {
    func findings(in scope: ScopeReport) -> [Finding] { [] }
    func findings(in file: SourceFile) -> [Finding] { [] }
    static var id: String { page.id }
}

/// What `explain` prints of a rule.
package struct RulePage: Sendable {
    package var id: String
    /// One sentence.
    package var summary: String
    package var levels: String
    /// Why it is a mistake, and what happens.
    package var why: String
    package var bad: String
    package var good: String
    /// What to write with this package.
    package var instead: String
    /// What the rule does not see.
    package var limits: String

    /// The page as Markdown.
    package var text: String {
        """
        # \(id)

        \(summary)

        Level: \(levels).

        \(why)

        ## Wrong

        ```swift
        \(bad)
        ```

        ## Right

        ```swift
        \(good)
        ```

        ## With AsyncBridge

        ```swift
        \(instead)
        ```

        ## Limits

        \(limits)
        """
    }
}

/// All rules, in the order in which they are listed.
package enum Rules {
    static let all: [any Rule.Type] = [
        DoubleDelivery.self, DeliverInLoop.self, MultiShotResume.self,
        NeverDelivered.self, MissingDelivery.self, LostOnThrow.self,
        WeakSelfDrop.self, OptionalReceiverDrop.self, NilNilPath.self, CancelLatch.self,
        DeliverUnderLock.self,
        StoredOverwrite.self, StoredNotCleared.self, StoredDropped.self, CallbackIgnored.self,
        SemaphoreOverTask.self, SemaphoreInAsync.self,
    ]

    /// The pages of all rules.
    package static var pages: [RulePage] { all.map { $0.page } }

    /// The pages of all that a finding can be, those of wrong comments too.
    package static var allPages: [RulePage] { pages + Suppressions.pages }

    package static func page(named id: String) -> RulePage? { pages.first { $0.id == id } }
}
