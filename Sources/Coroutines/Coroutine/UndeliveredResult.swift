// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// What becomes of a value that a wait has got for a coroutine that is unwound: its scheduler has dropped it meanwhile.
@usableFromInline
enum UndeliveredResult {
    /// Releases the value, and reports that.
    @usableFromInline @inline(never)
    static func report<Value>(_ value: consuming Disconnected<Value>, of wait: StaticString, at site: CallSite) {
        // No value, nothing lost.
        if Value.self == Void.self { return }
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .resultUndelivered,
                bridge: "\(wait)",
                made: site,
                advice:
                    "A value of type \(Value.self) had come when the scheduler dropped the coroutine that waited for "
                    + "it, and was released. If it owns a resource, pass 'onUndelivered' where the wait takes it, or "
                    + "keep the scheduler until its coroutines have ended."
            )
        )
    }

    /// Gives an element back to where its iterator has it from; without such a place, reports it.
    @usableFromInline @inline(never)
    static func giveBack<Iterator: AsyncIteratorProtocol>(
        _ element: consuming Disconnected<Iterator.Element?>,
        to iterator: Iterator,
        at site: CallSite
    ) {
        guard let element = element.take() else { return }
        let undelivered = Disconnected(unchecked: element)
        if iterator.takeBack(undelivered: undelivered) { return }
        self.report(undelivered, of: "Coroutine.forEach", at: site)
    }
}
