// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// The initial values of every run of a generator.
@usableFromInline
final class GeneratorPlan {
    let bridge: StaticString
    let stackSize: StackSize
    let made: CallSite
    /// Gets the errors that no iterator can throw; without it they are reported.
    let onError: ((any Error) -> Void)?
    /// The user's body, and the only part of a run that knows the type of the elements.
    let body: (YieldPoint) throws -> Void

    @usableFromInline
    init(
        _ bridge: StaticString,
        stackSize: StackSize,
        made: CallSite,
        onError: ((any Error) -> Void)?,
        body: @escaping (YieldPoint) throws -> Void
    ) {
        self.bridge = bridge
        self.stackSize = stackSize
        self.made = made
        self.onError = onError
        self.body = body
    }

    /// Passes an error that no iterator throws to its handler.
    func report(_ error: any Error) {
        if let onError = self.onError { return onError(error) }
        // The error of a cancelled wait need not be reported: the code around the loop finds out by itself.
        if error is CancellationError, Coroutine.isCancelled { return }
        UncaughtErrors.report(error, of: self.bridge, made: self.made)
    }
}
