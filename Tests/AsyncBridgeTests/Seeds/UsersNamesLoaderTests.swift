// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("Seed 004: the loader of users' names", .timeLimit(.minutes(10)))
struct UsersNamesLoaderTests {
    private let names = ["Ada", "Grace"]

    @Test(arguments: [LoaderHabit.atOnce, .later])
    func `the result is returned`(_ habit: LoaderHabit) async throws {
        let loader: any UsersNamesLoader = NamesLoader(result: .success(self.names), habit: habit)
        let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
        let result = await asyncLoader.load()
        #expect(try result.get() == self.names)
    }

    @Test(arguments: [LoaderHabit.atOnce, .later])
    func `the names are returned`(_ habit: LoaderHabit) async throws {
        let loader: any UsersNamesLoader = NamesLoader(result: .success(self.names), habit: habit)
        let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
        let names: [String] = try await asyncLoader.load()
        #expect(names == self.names)
    }

    @Test(arguments: [LoaderHabit.atOnce, .later])
    func `the loader's error is returned or thrown`(_ habit: LoaderHabit) async {
        let loader: any UsersNamesLoader = NamesLoader(result: .failure(LoaderError.offline), habit: habit)
        let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
        let result = await asyncLoader.load()
        #expect(throws: LoaderError.offline) { try result.get() }
        await #expect(throws: LoaderError.offline) {
            let _: [String] = try await asyncLoader.load()
        }
    }

    @Test func `the old clients go on as they are`() async {
        let loader: any UsersNamesLoader = NamesLoader(result: .success(self.names), habit: .atOnce)
        let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
        let results = Log<[String]?>()
        loader.load { results(try? $0.get()) }
        _ = await asyncLoader.load()
        loader.load { results(try? $0.get()) }
        #expect(results.all == [self.names, self.names])
    }

    // MARK: The view that asked for async

    @MainActor
    @Test func `a view is refreshed`() async {
        let loads = Log<Int>()
        let loader: any UsersNamesLoader = NamesLoader(result: .success(self.names))
        let asyncLoader = AsyncAwaitWrapper { completion in
            loads(1)
            loader.load(completion: completion)
        }
        let view = RefreshableView().refreshable {
            let _ = await asyncLoader.load()
        }
        await view.pull()
        await view.pull()
        #expect(loads.count == 2)
    }

    /// Real views take a `@Sendable` action: there the closure says on which actor it runs.
    @MainActor
    @Test func `a view with a sendable action is refreshed`() async throws {
        let loader: any UsersNamesLoader = NamesLoader(result: .success(self.names))
        let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
        var shown: [String] = []
        let view = RefreshableView().sendableRefreshable { @MainActor in
            shown = (try? await asyncLoader.load()) ?? []
        }
        await view.pull()
        #expect(shown == self.names)
    }
}
