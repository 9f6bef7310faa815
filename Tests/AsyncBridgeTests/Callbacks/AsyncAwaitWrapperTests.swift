// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("AsyncAwaitWrapper", .timeLimit(.minutes(10)))
struct AsyncAwaitWrapperTests {
    private typealias TypedWrapper = AsyncAwaitWrapper<[String], LoaderError>

    private let place = Place()

    private func typed(
        _ result: Result<[String], LoaderError>,
        _ habit: LoaderHabit = .later,
        dropped: ((BridgeFault) -> LoaderError)? = { .dropped(line: $0.made.line) }
    ) -> TypedWrapper {
        let loader: any TypedNamesLoader = NamesLoader(result: result, habit: habit)
        return AsyncAwaitWrapper(
            fileID: Place.fileID,
            line: self.place.line,
            loader: loader.load,
            dropped: dropped
        )
    }

    // MARK: Typed errors

    @Test(arguments: [LoaderHabit.atOnce, .later])
    func `a typed loader's result keeps its type`(_ habit: LoaderHabit) async {
        let success: Result<[String], LoaderError> = await self.typed(.success(["Ada"]), habit).load()
        #expect(success == .success(["Ada"]))
        let failure: Result<[String], LoaderError> = await self.typed(.failure(.offline), habit).load()
        #expect(failure == .failure(.offline))
    }

    @Test(arguments: [LoaderHabit.atOnce, .later])
    func `a typed loader's error is thrown with its type`(_ habit: LoaderHabit) async {
        do throws(LoaderError) {
            let _: [String] = try await self.typed(.failure(.offline), habit).load()
            Issue.record("nothing was thrown")
        } catch {
            let typed: LoaderError = error
            #expect(typed == .offline)
        }
    }

    // MARK: Loaders that misbehave

    @Test func `a loader that drops its completion is a fault that names the place`() async {
        let loader: any UsersNamesLoader = NamesLoader(result: .success([]), habit: .never)
        let wrapper = AsyncAwaitWrapper(fileID: Place.fileID, line: self.place.line, loader: loader.load)
        let result = await wrapper.load()
        let fault = BridgeFault(.callbackDropped, made: self.place.site)
        #expect(throws: fault) { try result.get() }
        await #expect(throws: fault) {
            let _: [String] = try await wrapper.load()
        }
        #expect(self.place.reports.map(\.kind) == [.droppedCallback])
    }

    @Test func `a typed loader that drops its completion is mapped by its user`() async {
        let wrapper = self.typed(.success([]), .never)
        let result = await wrapper.load()
        #expect(result == .failure(.dropped(line: self.place.line)))
        await #expect(throws: LoaderError.dropped(line: self.place.line)) {
            let _: [String] = try await wrapper.load()
        }
        #expect(self.place.reports.map(\.kind) == [.droppedCallback])
    }

    @Test func `a typed loader that drops its completion traps with the place, if its user says nothing`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loader: any TypedNamesLoader = NamesLoader(result: .success([]), habit: .never)
            let wrapper = AsyncAwaitWrapper(fileID: "Loaders/Old.swift", line: 42, loader: loader.load, dropped: nil)
            _ = await wrapper.load()
        }
        let output = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        // The report of the dropped callback, on another line, names the place as well.
        let trap = output.split(separator: "\n").first { $0.contains("Fatal error: AsyncAwaitWrapper") } ?? ""
        #expect(trap.contains("Loaders/Old.swift:42"))
        #expect(trap.contains("dropped:"))
    }

    @Test func `a loader that calls back twice is heard once, and reported`() async {
        let result = await self.typed(.failure(.offline), .twice).load()
        #expect(result == .failure(.offline))
        #expect(self.place.reports.map(\.kind) == [.duplicateAnswer])
    }

    // MARK: Shapes

    /// Newer loaders ask for a `@Sendable` handler, older ones do not; both are wrapped as they are.
    @Test func `a loader that asks for a sendable handler is wrapped`() async throws {
        let api = StoredContacts(result: .success([Contact(name: "Ada")]))
        let wrapper = AsyncAwaitWrapper(loader: api.fetchContacts)
        let contacts: [Contact] = try await wrapper.load()
        #expect(contacts == [Contact(name: "Ada")])
    }

    // MARK: Cancellation

    /// There is no way to tell a loader to stop, and no error to invent.
    @Test(arguments: [false, true])
    func `a cancelled task waits for the loader`(isCancelledBefore: Bool) throws {
        let completion = Slot<Unchecked<(Result<[String], LoaderError>) -> Void>>()
        let wait = HandDriven {
            let wrapper = TypedWrapper(loader: { completion.put(Unchecked(value: $0)) }, dropped: nil)
            return await wrapper.load()
        }
        if isCancelledBefore { wait.cancel() }
        wait.turn()
        wait.cancel()
        wait.turn()
        #expect(!wait.hasEnded)
        completion.take()?.value(.success(["Ada"]))
        wait.turn()
        #expect(try wait.get() == .success(["Ada"]))
    }

    // MARK: Isolation

    @MainActor
    @Test func `the loader runs on the caller's actor, and the result arrives there`() async {
        var story: [Bool] = []
        let loader: any TypedNamesLoader = NamesLoader(result: .success([]), habit: .later)
        let wrapper = TypedWrapper(
            loader: { completion in
                story.append(MainQueue.isCurrent)
                loader.load(completion: completion)
            },
            dropped: nil
        )
        _ = await wrapper.load()
        story.append(MainQueue.isCurrent)
        #expect(story == [true, true])
    }
}
