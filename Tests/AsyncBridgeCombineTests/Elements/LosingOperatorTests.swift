// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

/// The table of the guide "Await a publisher": what comes after these needs `.unlimited`, or `buffer` between.
@Suite("elements(buffering:) after operators that do not wait", .timeLimit(.minutes(10)))
struct LosingOperatorTests {
    typealias Numbers = AnyPublisher<Int, Never>

    struct Operator: Sendable {
        let name: String
        /// Whether a subject is inside.
        let hasSubject: Bool
        let apply: @Sendable (Numbers) -> Numbers
    }

    static let operators = [
        Operator(name: "share", hasSubject: true) { $0.share().eraseToAnyPublisher() },
        Operator(name: "multicast", hasSubject: true) {
            $0.multicast { PassthroughSubject() }.autoconnect().eraseToAnyPublisher()
        },
        Operator(name: "makeConnectable", hasSubject: true) {
            $0.makeConnectable().autoconnect().eraseToAnyPublisher()
        },
        Operator(name: "map after share", hasSubject: true) { $0.share().map { $0 }.eraseToAnyPublisher() },
        Operator(name: "debounce", hasSubject: false) {
            $0.debounce(for: 0, scheduler: OpenCombineShim.ImmediateScheduler.shared).eraseToAnyPublisher()
        },
        Operator(name: "throttle", hasSubject: false) {
            $0.throttle(for: 0, scheduler: OpenCombineShim.ImmediateScheduler.shared, latest: true)
                .eraseToAnyPublisher()
        },
    ]

    /// What a consumer hears that begins after five elements were sent.
    private static func heard(
        _ publisher: Numbers,
        from subject: PassthroughSubject<Int, Never>,
        _ buffer: BufferingPolicy
    ) async -> [Int] {
        let elements = publisher.elements(buffering: buffer, subscribing: .immediately)
        for number in 1...5 { subject.send(number) }
        subject.send(completion: .finished)
        var heard: [Int] = []
        for await number in elements { heard.append(number) }
        return heard
    }

    @Test(arguments: operators.map(\.name))
    func `with a limit they lose what was not asked for, and without one nothing`(_ name: String) async throws {
        let apply = try #require(Self.operators.first { $0.name == name }).apply
        // Fed by a subject, which waits no more than they do.
        let limited = PassthroughSubject<Int, Never>()
        #expect(await Self.heard(apply(limited.eraseToAnyPublisher()), from: limited, .bounded(capacity: 2)) == [1, 2])
        let unlimited = PassthroughSubject<Int, Never>()
        #expect(
            await Self.heard(apply(unlimited.eraseToAnyPublisher()), from: unlimited, .unbounded) == [1, 2, 3, 4, 5]
        )
        let buffered = PassthroughSubject<Int, Never>()
        let publisher = apply(buffered.eraseToAnyPublisher())
            .buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher()
        #expect(await Self.heard(publisher, from: buffered, .bounded(capacity: 2)) == [1, 2, 3, 4, 5])
    }

    /// It keeps the element of the publisher that it has not left.
    @Test func `switchToLatest loses the elements of the publishers that it leaves`() async {
        func heard(_ buffer: BufferingPolicy) async -> [Int] {
            let numbers = PassthroughSubject<Int, Never>()
            let latest = numbers.map { Just($0) }.switchToLatest().eraseToAnyPublisher()
            return await Self.heard(latest, from: numbers, buffer)
        }
        #expect(await heard(.bounded(capacity: 2)) == [1, 2, 5])
        #expect(await heard(.unbounded) == [1, 2, 3, 4, 5])
    }

    /// The subject does not decide: this source would keep its elements.
    @Test(arguments: operators.filter { $0.hasSubject }.map(\.name))
    func `also after a publisher that waits`(_ name: String) async throws {
        let apply = try #require(Self.operators.first { $0.name == name }).apply
        var heard: [Int] = []
        for await number in apply((1...5).publisher.eraseToAnyPublisher()).elements(buffering: .bounded(capacity: 2)) {
            heard.append(number)
        }
        #expect(heard == [1, 2])
    }
}
#endif
