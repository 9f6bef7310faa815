// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
/// What happens to a child process when the task that waits for it is cancelled.
public struct ProcessCancellation: Sendable, Hashable {
    enum Kind: Hashable {
        case terminate
        case kill
        case leave
    }

    let kind: Kind

    /// Asks the process to end, by `SIGTERM`, and waits until it has.
    ///
    /// It may ignore that. Its own child processes are neither asked nor waited for.
    public static var terminate: Self { Self(kind: .terminate) }

    /// Ends the process, by `SIGKILL`, and waits until it has.
    ///
    /// Its own child processes continue, and are not waited for.
    public static var kill: Self { Self(kind: .kill) }

    /// Leaves the process alone, and does not wait.
    public static var leave: Self { Self(kind: .leave) }
}
#endif
