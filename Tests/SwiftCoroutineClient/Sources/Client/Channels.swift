// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

func describe(_ number: Int) -> String { "number \(number)" }

func checkChannels() {
    // The documentation's example.
    let channel = CoChannel<Int>(capacity: 1)
    DispatchQueue.global().startCoroutine {
        for i in 0..<100 {
            try channel.awaitSend(i)
        }
        channel.close()
    }
    inCoroutine {
        var received: [Int] = []
        for i in channel.makeIterator() {
            received.append(i)
        }
        check(received, is: Array(0..<100), "what was sent")
        do {
            _ = try channel.awaitReceive()
            check(false, "the channel is closed")
        } catch CoChannelError.closed {}
        do {
            try channel.awaitSend(1)
            check(false, "the channel is closed")
        } catch CoChannelError.closed {}
    }

    // Kinds.
    check(CoChannel<Int>().bufferType == .unlimited, "a channel is unlimited by default")
    check(CoChannel<Int>(capacity: 3).bufferType == .buffered(capacity: 3), "a capacity is a buffer")
    let none = CoChannel<Int>(bufferType: .none)
    check(none.bufferType == .none, "no buffer")
    check(!none.offer(1), "nobody waits in a channel without a buffer")
    let unlimited = CoChannel<Int>(bufferType: .unlimited)
    for number in 0..<10 { unlimited.offer(number) }
    check(unlimited.count, is: 10, "an unlimited channel")
    let conflated = CoChannel<Int>(bufferType: .conflated)
    for number in 0..<10 { conflated.offer(number) }
    check(conflated.poll() == 9 && conflated.isEmpty, "the newest element")

    // Without waiting.
    let buffered = CoChannel<Int>(bufferType: .buffered(capacity: 1))
    check(buffered.isEmpty && buffered.poll() == nil, "an empty channel")
    check(buffered.offer(1), "there is room")
    check(!buffered.offer(2), "there is none")
    check(buffered.count, is: 1, "one element")
    check(buffered.poll() == 1, "the element")
    buffered.offer(3)
    check(buffered.makeIterator().next() == 3, "an iterator outside a coroutine")
    check(buffered.makeIterator().next() == nil, "an iterator outside a coroutine does not wait")

    // Callbacks and futures.
    let counter = Counter()
    buffered.whenReceive { result in
        switch result {
        case .success(let value): counter.note("received \(value)")
        case .failure(let error): counter.note("failed \(error)")
        }
    }
    buffered.offer(4)
    check(counter.events, is: ["received 4"], "a callback that received")
    let received = buffered.receiveFuture()
    check(received.result == nil, "nothing to receive yet")
    buffered.sendFuture(CoFuture(result: .success(5)))
    check((try? received.result?.get()) == 5, "a future of an element, and an element of a future")
    let promise = CoPromise<Int>()
    buffered.whenReceive(promise.complete)
    buffered.offer(6)
    check((try? promise.result?.get()) == 6, "`complete` as a callback")
    let sent = CoPromise<Int>()
    buffered.sendFuture(sent)
    sent.success(7)
    check(buffered.poll() == 7, "an element of a promise")

    // The end.
    let ending = CoChannel<Int>(capacity: 2)
    ending.whenComplete { counter.note("complete") }
    ending.whenCanceled { counter.note("cancelled") }
    ending.whenFinished { error in counter.note("finished with \(error.map(name) ?? "nothing")") }
    ending.offer(1)
    check(!ending.isClosed && !ending.isCanceled, "an open channel")
    check(ending.close(), "the first close")
    check(!ending.close(), "the second one")
    check(ending.isClosed && !ending.isCanceled, "a closed channel")
    check(!ending.offer(2), "nothing can be sent any more")
    check(ending.poll() == 1, "what was in it can be received")
    check(counter.events.suffix(2), is: ["complete", "finished with closed"], "observers of the end")
    ending.whenReceive { result in
        if case .failure(CoChannelError.closed) = result { counter.note("closed") }
    }
    check(counter.events.last ?? "", is: "closed", "a callback after the end")

    let cancelled = CoChannel<Int>(capacity: 2)
    cancelled.whenCanceled { counter.note("cancelled") }
    cancelled.offer(1)
    cancelled.cancel()
    check(cancelled.isCanceled && cancelled.poll() == nil, "a cancelled channel")
    check(counter.events.last ?? "", is: "cancelled", "an observer of the cancellation")
    cancelled.whenReceive { result in
        if case .failure(CoChannelError.canceled) = result { counter.note("no element") }
    }
    check(counter.events.last ?? "", is: "no element", "a callback after the cancellation")
    inCoroutine {
        do { try cancelled.awaitSend(1) } catch CoChannelError.canceled { counter.note("not sent") }
        do { _ = try cancelled.awaitReceive() } catch CoChannelError.canceled { counter.note("not received") }
    }
    check(counter.events.suffix(2), is: ["not sent", "not received"], "a cancelled channel")

    // Waiting senders and receivers.
    let rendezvous = CoChannel<String>(bufferType: .none)
    DispatchQueue.global().startCoroutine {
        try rendezvous.awaitSend("hello")
        counter.note("sent")
    }
    inCoroutine { check(try rendezvous.awaitReceive(), is: "hello", "a rendezvous") }
    counter.wait(for: 9)

    let numbers = CoChannel<Int>()
    let words = numbers.map { "\($0)" }
    let described = numbers.map(describe)
    numbers.offer(1)
    numbers.offer(2)
    check(words.poll() == "1", "map")
    check(described.poll() == "number 2", "map with a function")
}

func checkHalves() {
    let counter = Counter()
    let (receiver, sender) = CoChannel<Int>(bufferType: .buffered(capacity: 2)).pair
    check(receiver.bufferType == .buffered(capacity: 2) && sender.bufferType == receiver.bufferType, "the buffer")
    check(sender.offer(1) && sender.offer(2) && !sender.offer(3), "room for two")
    check(sender.count == 2 && receiver.count == 2 && !sender.isEmpty && !receiver.isEmpty, "two elements")
    check(receiver.poll() == 1, "the first")
    inCoroutine {
        try sender.awaitSend(3)
        check(try receiver.awaitReceive(), is: 2, "the second")
        check(try receiver.receiveFuture().await(), is: 3, "the third")
    }
    sender.sendFuture(CoFuture(result: .success(4)))
    receiver.whenReceive { result in if case .success(4) = result { counter.note("4") } }
    check(counter.events, is: ["4"], "a callback of a half")
    let mapped = receiver.map { $0 * 10 }
    sender.offer(5)
    check(mapped.poll() == 50, "a half that was mapped")
    sender.offer(6)
    check(Array(receiver.makeIterator()), is: [6], "an iterator of a half")

    sender.whenComplete { counter.note("sender complete") }
    receiver.whenComplete { counter.note("receiver complete") }
    sender.whenCanceled { counter.note("sender cancelled") }
    receiver.whenCanceled { counter.note("receiver cancelled") }
    sender.whenFinished { error in counter.note("sender finished \(error == nil)") }
    receiver.whenFinished { error in counter.note("receiver finished \(error == nil)") }
    check(!sender.isClosed && !receiver.isClosed, "open halves")
    check(sender.close(), "the sender closes")
    check(sender.isClosed && receiver.isClosed && !sender.isCanceled && !receiver.isCanceled, "closed halves")
    check(
        counter.events.dropFirst(),
        is: ["sender complete", "receiver complete", "sender finished false", "receiver finished false"],
        "observers of halves"
    )

    let other = CoChannel<Int>()
    let half: CoChannel<Int>.Receiver = other.receiver
    let otherHalf: CoChannel<Int>.Sender = other.sender
    half.whenCanceled { counter.note("half cancelled") }
    otherHalf.whenCanceled { counter.note("other half cancelled") }
    half.cancel()
    check(counter.events.suffix(2), is: ["half cancelled", "other half cancelled"], "observers of the cancellation")
    check(half.isCanceled && otherHalf.isCanceled && other.isCanceled, "cancelled by a half")
    otherHalf.cancel()
}
