// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A failure of a coroutine itself, as opposed to a failure of its code.
///
/// Cancellation is not among them: that is always `CancellationError`. Each error's description says what to do about
/// it. Minor releases may add cases: a `switch` over it needs `@unknown default`.
///
/// Show or log that description, as in `"\(error)"`. Foundation's `localizedDescription` says no more than the type and
/// a number, since this module does without Foundation, and the one for Foundation without coroutines. If your app
/// shows `localizedDescription`, give the error one:
///
/// ```text
/// extension CoroutineError: @retroactive LocalizedError {
///     public var errorDescription: String? { self.description }
/// }
/// ```
@nonexhaustive
public enum CoroutineError: Error, Sendable, Hashable {
    /// `Coroutine.await` or a similar function was called outside a coroutine, where nothing can suspend.
    ///
    /// Start one with `withCoroutine { … }` in async code, or with `scheduler.startCoroutine { … }`. Each place that
    /// waits outside is reported to `BridgeDiagnostics`, once.
    case outsideCoroutine

    /// There is no memory for a stack; the number is the system's error number.
    case outOfMemory(errno: Int32)

    /// The stack guards have taken their share of the mappings that the system allows this process: `limit`.
    ///
    /// On Linux before 6.13 a coroutine's stack takes two mappings, one of them its guard, and a process may have
    /// `vm.max_map_count`, 65,530 by default. Guards take three quarters of these at most, so 24,574 stacks: if none
    /// were left, no thread would start and no memory could be mapped anywhere in the process. For more coroutines at
    /// once raise the limit, for example with `sysctl -w vm.max_map_count=1048576`, or run a newer kernel, where guards
    /// take none.
    case tooManyMappings(limit: Int)

    /// A call would have blocked the main thread, and with it the main actor.
    case wouldBlockMainThread

    /// A call would have blocked one of the threads that Swift's tasks need.
    case wouldBlockTask
}

extension CoroutineError: CustomStringConvertible {
    /// What went wrong and what to do about it, in a sentence or two.
    public var description: String {
        switch self {
        case .outsideCoroutine:
            "Nothing can wait here, outside a coroutine. Run the code in `try await withCoroutine { … }` from async "
                + "code, or in `scheduler.startCoroutine { … }`. In a task that runs on a coroutine's stack, write "
                + "`await`."
        case .outOfMemory(let errno):
            "There is no memory for a coroutine's stack (error number \(errno)). Run fewer coroutines at once, give "
                + "them a smaller `stackSize`, or raise the process's limit of address space."
        case .tooManyMappings(let limit):
            "The guards of coroutines' stacks have taken three quarters of this process's mappings, or other code has "
                + "taken the rest: vm.max_map_count is \(limit). Run fewer coroutines at once, raise it (`sysctl -w "
                + "vm.max_map_count=1048576`), or use Linux 6.13 or later, where guards take no mappings."
        case .wouldBlockMainThread:
            "This would block the main thread, which the awaited operation may need. Run the code in "
                + "`MainActor.startCoroutine { … }`, where it suspends instead, or on its own thread."
        case .wouldBlockTask:
            "This would block a thread that runs Swift tasks, which the awaited operation may need. Write `await`; in "
                + "synchronous code, call it from `try await withCoroutine { … }`, where it suspends instead."
        }
    }
}
