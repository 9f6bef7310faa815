// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

extension NotificationCenter {
    /// Values from the notifications of a name, as a sequence.
    ///
    /// Apple's systems have `notifications(named:)` as well, which hands out the notifications themselves; with Swift
    /// 6.3.1 Linux does not have it, and a notification is not `Sendable`.
    ///
    /// ```swift
    /// for try await id in center.values(of: .quoteLoaded, { $0.userInfo?["id"] as? Int }) { print(id ?? 0) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop, and removes the observer.
    ///
    /// ## Isolation
    /// `value` runs where the notification is posted, in that call.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The sender of the notifications; any sender if it is `nil`.
    ///   - buffering: What happens to notifications that come faster than they are consumed.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - value: Extracts the value from a notification.
    /// - Returns: The values, which do not end by themselves. Each iteration has its own observer from its start.
    /// - Complexity: O(1).
    public func values<Value: Sendable>(
        of name: Notification.Name,
        object: (any AnyObject & Sendable)? = nil,
        buffering: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ value: @escaping @Sendable (Notification) -> Value
    ) -> CallbackSequence<Value, any Error> {
        CallbackSequence(buffering: buffering, fileID: fileID, line: line) { sink in
            // Safe: an observer may be removed on any thread, and nothing else is done with it.
            nonisolated(unsafe) let observer = self.addObserver(forName: name, of: object) { sink.yield(value($0)) }
            return { unsafe self.removeObserver(observer) }
        }
    }

    /// A value from the next notification of a name.
    ///
    /// ## Cancellation
    /// Throws `CancellationError` at once, and removes the observer. In a task already cancelled `start` does not run.
    ///
    /// ## Isolation
    /// `value` runs where the notification is posted, in that call. The observer is installed when `start` runs.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The sender of the notification; any sender if it is `nil`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work that leads to the notification.
    ///   - value: Extracts the value from the notification.
    /// - Returns: The value.
    /// - Throws: `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func next<Value: Sendable>(
        _ name: Notification.Name,
        object: (any AnyObject & Sendable)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        after start: () -> Void = {},
        _ value: @escaping @Sendable (Notification) -> Value
    ) async throws -> Value {
        let values = self.values(of: name, object: object, fileID: fileID, line: line, value)
        var iterator = values.makeAsyncIterator()
        // After the iterator is made: in a task cancelled before that there is no observer.
        try Task.checkCancellation()
        start()
        guard let value = try await iterator.next() else { throw CancellationError() }
        return value
    }

    private func addObserver(
        forName name: Notification.Name,
        of object: (any AnyObject & Sendable)?,
        _ receive: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        #if canImport(Darwin) || compiler(>=6.3)
        self.addObserver(forName: name, object: object, queue: nil, using: receive)
        #else
        // Swift 6.2's Foundation puts an object that is no NSObject into a box, a new one for each call, and compares
        // the boxes: its notifications would reach nobody.
        self.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let object, notification.object.map({ $0 as AnyObject === object }) != true { return }
            receive(notification)
        }
        #endif
    }
}
