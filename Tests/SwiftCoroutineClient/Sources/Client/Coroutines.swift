// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import SwiftCoroutine

// Old functions with callbacks of no to three values.

func fade(completion: @escaping Handler<Void>) { DispatchQueue.global().async { completion(()) } }

func close(completion: @escaping Code) { DispatchQueue.global().async { try? completion() } }

func load(_ number: Int, completion: @escaping Handler<Int>) {
    DispatchQueue.global().async { completion(number) }
}

#if swift(>=6)
func divide(_ number: Int, by other: Int, completion: @escaping @Sendable (Int, Int) -> Void) {
    DispatchQueue.global().async { completion(number / other, number % other) }
}

func fetch(_ path: String, completion: @escaping @Sendable (String?, Int?, Error?) -> Void) {
    DispatchQueue.global().async { completion(path, 200, nil) }
}

func finish(completion: @escaping @Sendable () -> Void) { DispatchQueue.global().async { completion() } }
#else
func divide(_ number: Int, by other: Int, completion: @escaping (Int, Int) -> Void) {
    DispatchQueue.global().async { completion(number / other, number % other) }
}

func fetch(_ path: String, completion: @escaping (String?, Int?, Error?) -> Void) {
    DispatchQueue.global().async { completion(path, 200, nil) }
}

func finish(completion: @escaping () -> Void) { DispatchQueue.global().async { completion() } }
#endif

func awaitSum() throws -> Int {
    guard Coroutine.isInsideCoroutine else { throw CoroutineError.mustBeCalledInsideCoroutine }
    var sum = 0
    try Coroutine.await {
        sum += 1
        $0()
    }
    sum += try Coroutine.await { completion in
        DispatchQueue.global().async {
            completion(1)
        }
    }
    sum += try Coroutine.await { completion in
        DispatchQueue.global().async {
            completion(1, 0)
        }
    }.0
    sum += try Coroutine.await { completion in
        DispatchQueue.global().async {
            completion(1, 0, 0)
        }
    }.0
    return sum
}

func awaitNumber(_ number: Int) throws -> Int {
    try Coroutine.await { callback in
        load(number, completion: callback)
    }
}

func checkCoroutines() {
    check(!Coroutine.isInsideCoroutine, "there is no coroutine here")
    do {
        try Coroutine.delay(.seconds(1))
        check(false, "a delay outside a coroutine must throw")
    } catch CoroutineError.mustBeCalledInsideCoroutine {
        // As it should.
    } catch {
        check(false, "a delay outside a coroutine threw \(error)")
    }

    inCoroutine {
        check(Coroutine.isInsideCoroutine, "this is a coroutine")
        check(try awaitSum(), is: 4, "callbacks of 0 to 3 values, called in closures")

        // The callbacks as they are.
        try Coroutine.await { finish(completion: $0) }
        try Coroutine.await(finish)
        let number = try Coroutine.await { load(5, completion: $0) }
        check(number, is: 5, "a callback of a value")
        check(try awaitNumber(6), is: 6, "a callback of a value, typed by the result")
        let (quotient, remainder) = try Coroutine.await { divide(17, by: 5, completion: $0) }
        check(quotient == 3 && remainder == 2, "a callback of two values")
        let (data, status, error) = try Coroutine.await { fetch("path", completion: $0) }
        check(data == "path" && status == 200 && error == nil, "a callback of three values")
        let response: (String?, Int?, Error?) = try Coroutine.await { callback in
            fetch("other") { data, status, error in callback(data, status, error) }
        }
        check(response.0 == "other", "a callback of three values in a closure")

        // In the closure, or before it has returned.
        let now: Int = try Coroutine.await { callback in callback(7) }
        check(now, is: 7, "a callback that is called at once")
    }

    inCoroutine {
        let start = DispatchTime.now()
        try Coroutine.delay(.milliseconds(20))
        check(DispatchTime.now() >= start + .milliseconds(20), "the delay was too short")
        try Coroutine.delay(.microseconds(1))
        try Coroutine.delay(.nanoseconds(1))
        let interval: DispatchTimeInterval = .milliseconds(1)
        try Coroutine.delay(interval)
    }

    let counter = Counter()
    Coroutine.start {
        counter.note("begun")
        try Coroutine.delay(.milliseconds(1))
        counter.note("ended")
    }
    check(counter.events.first ?? "", is: "begun", "`start` runs the code at once")
    counter.wait(for: 2)
}
