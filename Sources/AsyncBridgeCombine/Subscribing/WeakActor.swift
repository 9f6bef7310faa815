// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// An actor that is not kept alive.
@usableFromInline
struct WeakActor: Sendable {
    @usableFromInline weak let actor: (any Actor)?

    @usableFromInline
    init(_ actor: any Actor) { self.actor = actor }
}
#endif
