// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch

enum LoaderError: Error, Equatable {
    case offline
    case dropped(line: UInt)
}

/// The seed's protocol.
protocol UsersNamesLoader {
    func load(completion: @escaping (Result<[String], any Error>) -> Void)
}

/// The same with errors of a known type.
protocol TypedNamesLoader {
    func load(completion: @escaping (Result<[String], LoaderError>) -> Void)
}

/// How a loader treats its completion handler.
enum LoaderHabit: CaseIterable {
    case atOnce
    case later
    case twice
    case never
}

/// Loads in one of these ways.
struct NamesLoader<Failure: Error> {
    let result: Result<[String], Failure>
    var habit = LoaderHabit.later

    private func run(_ completion: @escaping (Result<[String], Failure>) -> Void) {
        switch self.habit {
        case .atOnce: completion(self.result)
        case .later:
            // The seed's handler is not `Sendable`; this loader calls it once, on one queue.
            let call = Unchecked(value: (completion, self.result))
            DispatchQueue.global().async { call.value.0(call.value.1) }
        case .twice:
            completion(self.result)
            completion(.success(["second"]))
        case .never: break
        }
    }
}

extension NamesLoader: UsersNamesLoader where Failure == any Error {
    func load(completion: @escaping (Result<[String], any Error>) -> Void) { self.run(completion) }
}

extension NamesLoader: TypedNamesLoader where Failure == LoaderError {
    func load(completion: @escaping (Result<[String], LoaderError>) -> Void) { self.run(completion) }
}

/// A stand-in for a view that can be pulled to refresh, as the seed declares it.
@MainActor
final class RefreshableView {
    private var action: (() async -> Void)?

    func refreshable(action: @escaping () async -> Void) -> Self {
        self.action = action
        return self
    }

    /// As SwiftUI declares it.
    func sendableRefreshable(action: @escaping @Sendable () async -> Void) -> Self {
        self.action = action
        return self
    }

    /// The user pulls.
    func pull() async { await self.action?() }
}
