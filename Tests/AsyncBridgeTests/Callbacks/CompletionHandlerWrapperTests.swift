// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CompletionHandlerWrapper", .timeLimit(.minutes(10)))
struct CompletionHandlerWrapperTests {
    private let results = Log<Result<[String], LoaderError>>()

    /// The wrappers that a loader can be given to.
    enum Form: CaseIterable {
        case throwing
        case result
    }

    private func wrapper(
        _ form: Form,
        _ loader: @escaping @Sendable () async -> Result<[String], LoaderError>
    ) -> CompletionHandlerWrapper<[String], LoaderError> {
        switch form {
        case .throwing:
            CompletionHandlerWrapper { () async throws(LoaderError) -> [String] in try await loader().get() }
        case .result:
            CompletionHandlerWrapper(result: loader)
        }
    }

    static let outcomes: [Result<[String], LoaderError>] = [.success(["Ada"]), .failure(.offline)]

    @Test(arguments: Form.allCases, outcomes)
    func `the completion handler is called once`(_ form: Form, _ outcome: Result<[String], LoaderError>) async {
        let handle = self.wrapper(form) { outcome }.load { self.results($0) }
        await handle.finished()
        #expect(self.results.all == [outcome])
    }

    @Test(arguments: Form.allCases)
    func `loads as often as it is asked`(_ form: Form) async {
        let loads = Tally()
        let wrapper = self.wrapper(form) {
            loads.add()
            return .success(["\(loads.count)"])
        }
        for _ in 0..<2 { await wrapper.load { self.results($0) }.finished() }
        #expect(self.results.all == [.success(["1"]), .success(["2"])])
    }

    @Test(arguments: Form.allCases)
    func `cancelling cancels the loader's task; the completion is called all the same`(_ form: Form) async {
        let (begun, isCancelled) = (Tally(), Tally())
        let handle = self.wrapper(form) {
            begun.add()
            await isCancelled.reaches(1)
            return Task.isCancelled ? .failure(.offline) : .success([])
        }
        .load { self.results($0) }
        await begun.reaches(1)
        handle.cancel()
        isCancelled.add()
        await handle.finished()
        #expect(self.results.all == [.failure(.offline)])
    }

    /// A loader of any error needs no word about its type.
    @Test func `any error is inferred`() async {
        let results = Log<String>()
        let wrapper = CompletionHandlerWrapper { () async throws -> [String] in throw LoaderError.offline }
        let handle = wrapper.load { (result: Result<[String], any Error>) in
            if case .failure(let error) = result { results("\(error)") }
        }
        await handle.finished()
        #expect(results.all == ["offline"])
    }

    @MainActor
    @Test func `the completion runs where it was written`() async {
        var story: [Bool] = []
        let wrapper = self.wrapper(.result) { .success([]) }
        let handle = wrapper.load { _ in story.append(MainQueue.isCurrent) }
        await handle.finished()
        #expect(story == [true])
    }

    /// From async to completion and back.
    @Test(arguments: outcomes)
    func `is the opposite of AsyncAwaitWrapper`(_ outcome: Result<[String], LoaderError>) async {
        let oldStyle = self.wrapper(.result) { outcome }
        let wrapper = AsyncAwaitWrapper<[String], LoaderError>(
            loader: { completion in oldStyle.load(completion: completion) },
            dropped: nil
        )
        let result = await wrapper.load()
        #expect(result == outcome)
    }
}
