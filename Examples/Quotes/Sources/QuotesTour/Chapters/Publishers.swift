// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import OpenCombineShim

extension Tour {
    func crossToPublishersAndBack() async {
        self.narrator.chapter(
            "Publishers, from both sides",
            "No one gets more than was requested: elements(buffering:) asks a publisher for 16 ahead, publisher() asks",
            "a sequence for what its subscriber wants."
        )
        await self.iteratePublisher()
        await self.publishSequence()
    }

    private func iteratePublisher() async {
        let (requests, cancellations) = (Notebook<Int>(), Notebook<Void>())
        let numbers = (1...1000).publisher.handleEvents(
            receiveCancel: { cancellations.note(()) },
            receiveRequest: { requests.note($0.max ?? .max) }
        )
        var received: [Int] = []
        for await number in numbers.elements(buffering: .bounded(capacity: 16)) { received.append(number) }
        let most = requests.takeAll().max() ?? 0
        self.narrator.check(
            "all arrive, in order",
            so: "waiting has lost nothing",
            received == Array(1...1000),
            "\(received.count) of 1000 numbers"
        )
        self.narrator.check(
            "the publisher is asked for few at a time",
            so: "a slow loop does not fill the memory",
            most == 16,
            "at most \(most)"
        )

        for await number in numbers.elements(buffering: .bounded(capacity: 16)) where number == 3 { break }
        let left = cancellations.entries.count
        self.narrator.check(
            "leaving the loop cancels the subscription",
            so: "nothing goes on for nobody",
            left == 1,
            "once"
        )
    }

    private func publishSequence() async {
        let receiver = Receiver(count: 1000)
        let service = LocationService(receiver: receiver)
        receiver.start(delegate: service)
        var (subscription, received): ((any Subscription)?, [Int]) = (nil, [])
        let subscriber = AnySubscriber<Location, any Error>(
            receiveSubscription: { subscription = $0 },
            receiveValue: { location in
                received.append(location.number)
                return .none
            },
            receiveCompletion: nil
        )
        service.locations.publisher(on: MainActor.shared).subscribe(subscriber)
        subscription?.request(.max(3))
        await until { received.count >= 3 && receiver.pauses > 0 }
        self.narrator.check(
            "a subscriber that asks for three gets three",
            so: "its buffer cannot overflow",
            received == [1, 2, 3],
            received
        )
        self.narrator.check(
            "the others wait, and the receiver pauses",
            so: "what nobody asked for is not produced",
            service.mostBuffered <= 16
        )
        subscription?.cancel()
        await until { receiver.stops > 0 }
        self.narrator.check(
            "cancelling the subscription stops the receiver",
            so: "an AnyCancellable that goes is enough",
            receiver.stops == 1,
            "once"
        )
    }
}
