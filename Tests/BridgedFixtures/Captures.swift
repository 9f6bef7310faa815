// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

private let limit = 1
private let fallback = 2

private func stopped(_ job: Int) {}

/// Wraps what it is given, each time.
@propertyWrapper
struct Doubled: Sendable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = wrappedValue * 2 }
}

/// A handle with several jobs, some of them gone.
final class Jobs: Sendable {
    let all: [Gauge?] = []

    func stop() {}
    func stop(_ reason: String) {}
}

/// Functions whose parameters have the names of other things, and what stands in strings.
struct Capturing: Sendable {
    @Bridged
    func text(
        _ text: String = "of Swift.Result and AsyncBridge.withCallback",
        completion: @escaping @Sendable (String) -> Void
    ) { completion(text) }

    // Dropped.
    @Bridged(ifInterrupted: "Swift.Error")
    func drop(completion: @escaping @Sendable (String) -> Void) {}

    @Bridged(ifInterrupted: fallback)
    func drop(_ count: Int, fallback: Int, completion: @escaping @Sendable (Int) -> Void) {}

    @Bridged(ifInterrupted: max(1, 3))
    func drop(max: Int, completion: @escaping @Sendable (Int) -> Void) {}

    @Bridged(.cancel { _ in stopped(limit) }, timeout: .seconds(limit))
    func start(limit: String, stopped: Int, completion: @escaping @Sendable (Int) -> Void) -> Jobs {
        completion(stopped)
        return Jobs()
    }

    @Bridged
    func doubled(@Doubled count: Int, completion: @escaping @Sendable (Int) -> Void) { completion(count) }

    @Bridged
    func doubled(@Doubled later: Int) async -> Int { later }

    @Bridged
    func find(Quote: Int, completion: @escaping @Sendable (Quote?, (any Error)?) -> Void) {
        completion(Citation(text: "\(Quote)"), nil)
    }

    @Bridged(.cancel { (jobs: Jobs) in jobs.all.forEach { $0?.stop() } })
    func inner(completion: @escaping @Sendable (Int) -> Void) -> Jobs { self.start(7, completion) }

    @Bridged(.cancel { (jobs: Jobs) in jobs.all.forEach { $0?.stop() } })
    func optionalInner(completion: @escaping @Sendable (Int) -> Void) -> Jobs? { self.start(8, completion) }

    @Bridged(.cancel { $0.stop("why $0?") })
    func words(completion: @escaping @Sendable (Int) -> Void) -> Jobs? { self.start(9, completion) }

    @Bridged(.cancel { jobs in jobs?.stop() })
    func named(completion: @escaping @Sendable (Int) -> Void) -> Jobs? { self.start(10, completion) }

    @Bridged(.cancel { (jobs: Jobs?) in if let jobs { jobs.stop() } })
    func bound(completion: @escaping @Sendable (Int) -> Void) -> Jobs? { self.start(11, completion) }

    @Bridged(.cancel { ($0)?.stop() })
    func parted(completion: @escaping @Sendable (Int) -> Void) -> Jobs? { self.start(12, completion) }

    @Bridged(.optional)
    func optional(completion: @escaping @Sendable (Optional<any Sendable>, (any Error)?) -> Void) {
        completion(nil, nil)
    }

    @Bridged
    func grouped(completion: @escaping @Sendable ((Result<Int, any Error>)) -> Void) { completion(.success(13)) }

    @Bridged
    func groupedError(completion: @escaping @Sendable (Int?, ((any Error)?)) -> Void) { completion(14, nil) }

    @Bridged(ifInterrupted: 0)
    func never(completion: @escaping @Sendable (Int) -> Void) throws(Never) { completion(15) }

    private func start(_ value: Int, _ completion: @Sendable (Int) -> Void) -> Jobs {
        completion(value)
        return Jobs()
    }
}

/// What `find(Quote:)` cannot name itself.
typealias Citation = Quote

@BridgedMembers
struct Twice: Sendable {
    @Bridged
    func load(_ id: Int, completion: @escaping @Sendable (Int) -> Void) { completion(id) }

    /// Its twin would be the other's.
    func load(_ id: Int, callback: @escaping @Sendable (Int) -> Void) { callback(-id) }

    func save(completion: @escaping @Sendable () -> Void) { completion() }
}

@BridgedProtocol
protocol SingleLoader: ~Copyable {
    func load(completion: @escaping @Sendable (Int) -> Void)
}

struct OnlyLoader: ~Copyable, SingleLoader {
    func load(completion: @escaping @Sendable (Int) -> Void) { completion(17) }
}

struct Place: Sendable {
    var number: Int
}

protocol PlaceDelegate: AnyObject {
    func finder(_ finder: Capturing, didFind place: Place!)
    func finder(_ finder: Capturing, didLose place: Place!)
    func finder(_ finder: Capturing, didAsk answer: (@escaping @Sendable () -> Void))
}

/// Public, and its methods are not.
@DelegateEvents((.unchecked))
public final class PlaceEvents: PlaceDelegate, Sendable {
    static let Event = 0

    func finder(_ finder: Capturing, didFind place: Place!)
    @DelegateReply func finder(_ finder: Capturing, didLose place: Place!)
    func finder(_ finder: Capturing, didAsk answer: (@escaping @Sendable () -> Void))
}

enum Captures {
    static func results() async throws -> [String] {
        let capturing = Capturing()
        var results = [try await capturing.text(), await capturing.drop()]
        results += ["\(await capturing.drop(0, fallback: 9))", "\(await capturing.drop(max: 9))"]
        results.append("\(try await capturing.start(limit: "", stopped: 4))")
        results.append("\(try await capturing.doubled(count: 3))")
        results.append(
            try await withCallback { callback in
                capturing.doubled(later: 3) { callback.resume(returning: "\($0)") }
            }
        )
        results.append(try await capturing.find(Quote: 6).text)
        var numbers = [
            try await capturing.inner(), try await capturing.optionalInner(), try await capturing.words(),
            try await capturing.named(), try await capturing.bound(), try await capturing.parted(),
        ]
        let none = try await capturing.optional() == nil
        numbers += [none ? 1 : 0, try await capturing.grouped(), try await capturing.groupedError()]
        numbers += [await capturing.never(), try await Twice().load(16), try await OnlyLoader().load()]
        results.append("\(numbers)")
        let events = PlaceEvents()
        for await event in events.events(attach: { $0?.finder(capturing, didFind: Place(number: 18)) }) {
            if case .didFind(let place) = event { results.append("\(place?.number ?? 0)") }
            break
        }
        return results
    }
}
#endif
