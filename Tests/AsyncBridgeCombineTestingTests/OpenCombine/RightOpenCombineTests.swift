// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Dispatch
import MutationTestSupport
import OpenCombineShim
import Testing

/// OpenCombine's publishers that break no rule, over a publisher that breaks none.
@Suite("Publishers of OpenCombine that obey the rules", .timeLimit(.minutes(10)))
struct RightOpenCombineTests {
    @Test func `the page of the suites says how many there are`() throws {
        try RightSets.expect("RightPublisher.all", has: RightPublisher.all.map(\.testDescription))
        try RightSets.expect("RightSubscriber.all", has: RightSubscriber.all.map(\.testDescription))
    }

    @Test(arguments: RightPublisher.all)
    func `obeys the rules`(_ right: RightPublisher) async { expectNone(await right.verification.check()) }
}

/// An error with its cause.
private struct OtherError: Error {
    let cause: SourceError
}

/// A publisher of OpenCombine, or of Combine.
struct RightPublisher: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let verification: PublisherVerification

    init(_ name: String, _ make: (_ name: String) -> PublisherVerification) {
        self.testDescription = name
        self.verification = make(name)
    }

    static let all = Self.sources + Self.operators + Self.subjects

    private static let sources = [
        RightPublisher("Empty") { name in
            PublisherVerification(name, promises: .right.with { $0.counts = 0...0 }) { _ in Empty<Int, Never>() }
        },
        RightPublisher("Fail") { name in
            PublisherVerification(name, promises: .right.with { $0.counts = 0...0 }) { _ in Empty<Int, SourceError>() }
                .failing { _, error in Fail<Int, SourceError>(error: error) }
        },
        RightPublisher("Deferred") { name in
            PublisherVerification(name, promises: .right) { count in Deferred { Numbers(count) } }
        },
    ]

    private static let operators = [
        RightPublisher("map") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).map { $0 } }
                .failing { Numbers($0, error: $1).map { $0 } }
        },
        RightPublisher("compactMap") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).compactMap { $0 } }
        },
        RightPublisher("filter") { name in
            PublisherVerification(name, promises: .right.with { $0.counts = 0...10_000 }) { count in
                Numbers(2 * count).filter { $0.isMultiple(of: 2) }.map { $0 / 2 }
            }
            .failing { count, error in
                Numbers(2 * count, error: error).filter { $0.isMultiple(of: 2) }.map { $0 / 2 }
            }
        },
        // What is on the queue comes, however much that is: thousands of elements after the cancellation.
        RightPublisher("receive(on:)") { name in
            let promises = PublisherPromises.right.with {
                $0.stopsAtOnce = false
                $0.releasesCancelledSubscriber = false
                $0.takesRequestsFromThreads = false
            }
            return PublisherVerification(name, promises: promises) { count in
                let queue = DispatchQueue(label: "elements")
                #if canImport(Combine)
                return Numbers(count).receive(on: queue)
                #else
                return Numbers(count).receive(on: queue.ocombine)
                #endif
            }
        },
        RightPublisher("scan") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).scan(-1) { last, _ in last + 1 } }
        },
        RightPublisher("mapError") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).mapError { $0 as any Error } }
                .failing { Numbers($0, error: $1).mapError { $0 as any Error } }
        },
        RightPublisher("map of map") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).map { $0 + 1 }.map { $0 - 1 } }
        },
        RightPublisher("filter of compactMap") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).compactMap { $0 }.filter { _ in true } }
        },
        RightPublisher("a failure of another type") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).mapError { OtherError(cause: $0) } }
                .failing { Numbers($0, error: $1).mapError { OtherError(cause: $0) } }
        },
        RightPublisher("Deferred.map") { name in
            PublisherVerification(name, promises: .right) { count in Deferred { Numbers(count).map { $0 } } }
                .failing { count, error in Deferred { Numbers(count, error: error).map { $0 } } }
        },
        RightPublisher("eraseToAnyPublisher") { name in
            PublisherVerification(name, promises: .right) { Numbers($0).eraseToAnyPublisher() }
        },
    ]

    private static let subjects = [
        RightPublisher("PassthroughSubject") { name in
            PublisherVerification.driven(name, promises: .rightSubject) { driver in
                PassthroughSubject.driven(by: driver)
            }
        },
        RightPublisher("PassthroughSubject.map") { name in
            PublisherVerification.driven(name, promises: .rightSubject) { driver in
                PassthroughSubject.driven(by: driver).map { $0 }
            }
        },
        RightPublisher("PassthroughSubject.filter") { name in
            PublisherVerification.driven(name, promises: .rightSubject) { driver in
                PassthroughSubject.driven(by: driver).filter { _ in true }
            }
        },
        RightPublisher("PassthroughSubject.compactMap") { name in
            PublisherVerification.driven(name, promises: .rightSubject) { driver in
                PassthroughSubject.driven(by: driver).compactMap { $0 }
            }
        },
        RightPublisher("PassthroughSubject.mapError") { name in
            PublisherVerification.driven(name, promises: .rightSubject) { driver in
                PassthroughSubject.driven(by: driver).mapError { OtherError(cause: $0) }
            }
        },
        // Its first element is none of the driver's. What is not requested is replaced by what comes next.
        RightPublisher("CurrentValueSubject") { name in
            let promises = PublisherPromises.rightSubject.with { $0.unrequested = .unspecified }
            return PublisherVerification.driven(name, promises: promises) { driver in
                CurrentValueSubject.driven(by: driver).filter { $0 >= 0 }
            }
        },
        RightPublisher("a subject for one subscriber") { name in
            let promises = PublisherPromises.rightSubject.with { $0.subscribers = .one }
            return PublisherVerification.driven(name, promises: promises) { driver in
                PassthroughSubject.driven(by: driver).eraseToAnyPublisher()
            }
        },
        RightPublisher("Relay.map") { name in
            PublisherVerification.driven(name, promises: .right) { Relay($0).map { $0 } }
        },
        RightPublisher("Relay, of which little is promised") { name in
            let promises = PublisherPromises.right.with {
                $0.unrequested = .unspecified
                $0.keptCount = 4
            }
            return PublisherVerification.driven(name, promises: promises) { Relay($0) }
        },
        RightPublisher("Relay, which drops") { name in
            let promises = PublisherPromises.right.with { $0.unrequested = .dropped }
            return PublisherVerification.driven(name, promises: promises) { Relay($0, flaw: .dropsUnrequested) }
        },
        RightPublisher("Relay with little room") { name in
            let promises = PublisherPromises.right.with { $0.keptCount = 7 }
            return PublisherVerification.driven(name, promises: promises) { Relay($0, flaw: .keepsOneTooFew) }
        },
    ]
}

extension Subject where Output == Int, Failure == SourceError {
    /// Sends what the driver says.
    fileprivate func driven(by driver: PublisherDriver) -> Self {
        driver.onEvent { event in
            switch event {
            case .element(let element): self.send(element)
            case .finished: self.send(completion: .finished)
            case .failed(let error): self.send(completion: .failure(error))
            @unknown default: break
            }
        }
        return self
    }
}

extension PassthroughSubject<Int, SourceError> {
    /// A subject that sends what it is told.
    static func driven(by driver: PublisherDriver) -> PassthroughSubject { PassthroughSubject().driven(by: driver) }
}

extension CurrentValueSubject<Int, SourceError> {
    /// A subject that sends what it is told, and before that -1.
    fileprivate static func driven(by driver: PublisherDriver) -> CurrentValueSubject {
        CurrentValueSubject(-1).driven(by: driver)
    }
}

extension PublisherPromises {
    /// For right subjects.
    static var rightSubject: Self { Self.subject.with { $0.patience = .seconds(30) } }
}
#endif
