// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Before 6.3 nothing can be written in front of a name that a type hides.
#if Macros && Combine && compiler(>=6.3)
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeMacros

/// Hides the module of that name, here.
private enum Swift {
    struct Result {}
    struct Void {}
}

private enum AsyncBridgeFutures {}

private enum AsyncBridgeCombine {}

private enum AsyncBridgeMacros {}

/// Hides the module of that name, here, and has twins itself.
private struct AsyncBridge: Sendable {
    /// What a twin returns, although the module has no such type.
    struct Value: Sendable {
        var number: Int
    }

    @Bridged
    func load(completion: @escaping @Sendable (Result<Int, any Error>) -> ()) -> HiddenTask {
        completion(.success(1))
        return HiddenTask()
    }

    @Bridged(.cancel { $0.stop() })
    func stop(completion: @escaping @Sendable (Int) -> ()) -> HiddenTask {
        completion(2)
        return HiddenTask()
    }

    @Bridged
    func value(completion: @escaping @Sendable (AsyncBridge.Value?, SensorError?) -> ()) {
        completion(AsyncBridge.Value(number: 3), nil)
    }

    @Bridged
    func between(completion: @escaping @Sendable (Int?, (any Error)?, Bool) -> ()) { completion(4, nil, true) }

    @Bridged(.unchecked)
    func picture(completion: @escaping (Result<Picture, any Error>) -> ()) { completion(.success(Picture())) }

    @Bridged(ifInterrupted: 0)
    func count(completion: @escaping @Sendable (Int) -> ()) { completion(6) }

    @Bridged(.future, .publisher)
    func nothing(completion: @escaping @Sendable () -> ()) { completion() }

    @Bridged
    func best() async throws -> Int { 8 }

    @Bridged(.unchecked)
    func give() async -> Picture { Picture() }

    @Bridged
    func generic<Item: Equatable & Sendable>(_ item: Item) async -> Item { item }
}

private final class HiddenTask: Sendable {
    func cancel() {}
    func stop() {}
}

@BridgedMembers
extension AsyncBridge {
    func member(completion: @escaping @Sendable (Int?, (any Error)?) -> ()) { completion(11, nil) }
}

@BridgedProtocol
private protocol HiddenLoader {
    func find(completion: @escaping @Sendable (Result<Int, any Error>) -> ())
}

extension AsyncBridge: HiddenLoader {
    func find(completion: @escaping @Sendable (Result<Int, any Error>) -> ()) { completion(.success(12)) }
}

private protocol HiddenDelegate: AnyObject, Sendable {
    func didMove(_ position: Int)
    func didAnswer(_ answer: Int)
}

@DelegateEvents
private final class HiddenEvents: HiddenDelegate, Sendable {
    func didMove(_ position: Int)
    @DelegateReply func didAnswer(_ answer: Int)
}

/// Says itself which module it means.
private final class Selecting: HiddenDelegate {
    @AsyncBridgeMacros::Bridged
    func load(completion: @escaping @Sendable (Swift::Result<Int, any Swift::Error>) -> Swift::Void) {
        completion(.success(14))
    }

    @AsyncBridgeMacros::BridgedAs("count") @_Concurrency::MainActor
    func getCount(completion: @escaping @Sendable (Int) -> Swift::Void) { completion(15) }

    func didMove(_ position: Int) {}
    func didAnswer(_ answer: Int) {}
}

@AsyncBridgeMacros::DelegateEvents(DelegateOption.unchecked)
private final class SelectingEvents: HiddenDelegate, Sendable {
    func didMove(_ position: Int)
    @AsyncBridgeMacros::DelegateReply func didAnswer(_ answer: Int)
}

enum HiddenModules {
    static func results() async throws -> [String] {
        let hidden = AsyncBridge()
        var results = [
            "\(try await hidden.load())", "\(try await hidden.stop())", "\(try await hidden.value().number)",
            "\(try await hidden.between())", "\(try await hidden.picture().width)", "\(await hidden.count())",
        ]
        try await hidden.nothingFuture().value
        try await hidden.nothingPublisher().firstValue()
        results.append(try await withCallback { callback in hidden.best { callback.resume(returning: "\($0)") } })
        results.append(
            try await withCallback { callback in
                hidden.give { result in callback.resume(with: result.map { "width \($0.width)" }) }
            }
        )
        results.append(
            try await withCallback { callback in hidden.generic(10) { callback.resume(returning: "\($0)") } }
        )
        results.append("\(try await hidden.member())")
        results.append("\(try await hidden.find())")
        let events = HiddenEvents()
        for await event in events.events(attach: { $0?.didMove(13) }) {
            results.append("\(event)")
            break
        }
        let selecting = Selecting()
        results += ["\(try await selecting.load())", "\(try await selecting.count())"]
        let selectingEvents = SelectingEvents()
        for await event in selectingEvents.events(attach: { $0?.didMove(16) }) {
            results.append("\(event)")
            break
        }
        return results
    }
}
#elseif Macros
enum HiddenModules {
    static func results() async throws -> [String] {
        [
            "1", "2", "3", "(4, true)", "1", "6", "success(8)", "width 1", "success(10)", "11", "12", "didMove(13)",
            "14", "15", "didMove(16)",
        ]
    }
}
#endif
