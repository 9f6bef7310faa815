// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
import Coroutines
public import Dispatch

extension CoFuture {
    /// Waits, in a coroutine, until there is a result or the wait times out.
    ///
    /// For Dispatch's intervals; see ``await(timeout:clock:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait; `.never` waits forever.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: As the form with a clock.
    @available(*, noasync, message: "Write `try await future.value(timeout:)` in async code")
    public final func await(
        timeout: DispatchTimeInterval,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        guard let duration = Duration(timeout) else { return try self.await(fileID: fileID, line: line) }
        return try self.await(timeout: duration, clock: .continuous, fileID: fileID, line: line)
    }
}

extension Duration {
    /// - Returns: Nothing for `.never`.
    init?(_ interval: DispatchTimeInterval) {
        switch interval {
        case .seconds(let count): self = .seconds(count)
        case .milliseconds(let count): self = .milliseconds(count)
        case .microseconds(let count): self = .microseconds(count)
        case .nanoseconds(let count): self = .nanoseconds(count)
        case .never: return nil
        @unknown default: return nil
        }
    }
}
