// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines
import Dispatch
import Synchronization

/// A coroutine's entry in the list, which its driver keeps up to date.
@usableFromInline
final class CoroutineRecord: Sendable {
    /// What the coroutine is doing; see `BridgeDiagnostics.CoroutineDescription.Activity`.
    enum Activity: Sendable {
        case scheduled
        case running
        case yielding
        case waiting(CoroutineWait, CallSite)
    }

    private let name: StaticString?
    private let started: CallSite
    private let since = ContinuousClock.now
    private let home: String
    private let activity = Mutex(Activity.scheduled)
    // Zero until it is in the list; keys begin at one.
    private let key = Atomic<UInt64>(0)

    private init(name: StaticString?, started: CallSite, home: String) {
        self.name = name
        self.started = started
        self.home = home
    }

    /// Puts a coroutine of the current task into the list, if the list is on.
    @usableFromInline
    static func begin(name: StaticString?, started: CallSite) -> CoroutineRecord? {
        self.begin(name: name, started: started, home: self.currentTask)
    }

    /// Puts a coroutine into the list, if the list is on.
    static func begin(name: StaticString?, started: CallSite, home: () -> String) -> CoroutineRecord? {
        guard BridgeDiagnostics.tracksCoroutines else { return nil }
        let record = CoroutineRecord(name: name, started: started, home: home())
        record.key.store(CoroutineList.enter(record), ordering: .relaxed)
        return record
    }

    /// Lets the code in the coroutine find the entry.
    func note(in block: UnsafeMutablePointer<ccoro_block>) {
        // Safe: the driver and the list keep the entry until the coroutine has ended.
        unsafe block.pointee.record = Unmanaged.passUnretained(self).toOpaque()
    }

    func note(_ activity: Activity) { self.activity.withLock { $0 = activity } }

    /// Takes the coroutine off the list.
    func end() { CoroutineList.leave(self.key.load(ordering: .relaxed)) }

    var description: BridgeDiagnostics.CoroutineDescription {
        let activity: BridgeDiagnostics.CoroutineDescription.Activity =
            switch self.activity.withLock({ $0 }) {
            case .scheduled: .scheduled
            case .running: .running
            case .yielding: .yielding
            case .waiting(let wait, let site): .waiting(for: wait.rawValue, at: site)
            }
        return BridgeDiagnostics.CoroutineDescription(
            name: self.name.map { "\($0)" },
            started: self.started,
            since: self.since,
            home: self.home,
            activity: activity
        )
    }

    /// A scheduler in a word or two.
    ///
    /// A queue is named by its label, which its description lacks on Linux.
    static func home(of scheduler: some CoroutineScheduler) -> String {
        guard let queue = scheduler as? DispatchQueue else {
            return RoomyStack.text { "\(scheduler)" }
        }
        return "queue '\(queue.label)'"
    }

    /// The current task in a word or two, written as in the list of pending waits.
    private static func currentTask() -> String {
        // Safe: the task's handle is not kept, only its hash.
        let task = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe UInt(bitPattern: $0.hashValue) } }
        let number = task.map { "task \(String($0, radix: 16))" } ?? "no task"
        // Tasks have names since Swift 6.2, and the systems that came with it.
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let name = Task.name else {
            return number
        }
        return "\(number) '\(name)'"
    }
}

/// What a coroutine waits for.
@usableFromInline
enum CoroutineWait: String, Sendable {
    case operation = "an operation"
    case callback = "a callback"
    case delay = "a delay"
    case element = "an element"
    case closure = "a closure on another scheduler"
    case future = "a future"
    case channel = "a channel made"
    case selection = "one of several things"
    case lock = "a semaphore or mutex made"
    case turn = "its next turn"
    case scope = "the children of a scope"
}
