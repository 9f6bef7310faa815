// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// What is not SwiftCoroutine's API: the program's own checks. Nothing here differs between the language modes but two
// names.

#if swift(>=6)
/// Code of a coroutine, as a user writes it down who has it in a variable or passes it on.
typealias Code = @Sendable () throws -> Void
/// A completion handler, likewise.
typealias Handler<Value> = @Sendable (Value) -> Void
#else
typealias Code = () throws -> Void
typealias Handler<Value> = (Value) -> Void
#endif

/// Ends the program if something is not as it was.
func check(_ condition: Bool, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
    if condition { return }
    print("\(file):\(line): \(message)")
    exit(EXIT_FAILURE)
}

/// Ends the program if two values differ.
func check<Value: Equatable>(
    _ actual: Value,
    is expected: Value,
    _ message: String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    check(actual == expected, "\(message): \(actual), not \(expected)", file: file, line: line)
}

/// Runs code in a coroutine on a queue, and waits for it.
func inCoroutine(file: StaticString = #fileID, line: UInt = #line, _ code: @escaping Code) {
    let end = DispatchSemaphore(value: 0)
    DispatchQueue.global().startCoroutine {
        do { try code() } catch { check(false, "the coroutine failed: \(error)", file: file, line: line) }
        end.signal()
    }
    check(end.wait(timeout: .now() + 20) == .success, "the coroutine did not end", file: file, line: line)
}

/// Counts, and says when it has come to a number.
final class Counter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "counter")
    private var list: [String] = []

    func note(_ event: String) { self.queue.sync { self.list.append(event) } }

    var events: [String] { self.queue.sync { self.list } }

    func wait(for count: Int, file: StaticString = #fileID, line: UInt = #line) {
        let end = DispatchTime.now() + 20
        while self.events.count < count {
            check(DispatchTime.now() < end, "only \(self.events) happened", file: file, line: line)
            DispatchSemaphore(value: 0).waitBriefly()
        }
    }
}

extension DispatchSemaphore {
    func waitBriefly() { _ = self.wait(timeout: .now() + .milliseconds(1)) }
}
