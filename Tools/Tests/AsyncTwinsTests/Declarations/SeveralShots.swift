// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Forty functions that may call their handler more than once, each told by another sign. None gets a twin.

import Foundation

final class Source {
    // MARK: Called like a registration

    func observe(_ handler: @escaping (Int) -> Void) { handler(1) }
    func observeValue(forKey key: String, handler: @escaping (Result<Int, any Error>) -> Void) {}
    func addObserver(named name: String, callback: @escaping (Int) -> Void) { callback(1) }
    func addListener(callback: @escaping (Int, (any Error)?) -> Void) { callback(1, nil) }
    func subscribe(to topic: String, handler: @escaping (Data) -> Void) { handler(Data()) }
    func listen(on port: Int, handler: @escaping (Data) -> Void) { handler(Data()) }
    func streamLines(handler: @escaping (String) -> Void) { handler("") }
    func streamDecoded(callback: @escaping (Result<Int, any Error>) -> Void) { callback(.success(1)) }
    func onChange(_ handler: @escaping (Int) -> Void) { handler(1) }
    func onDisconnect(callback: @escaping ((any Error)?) -> Void) { callback(nil) }
    func watch(path: String, handler: @escaping (String) -> Void) { handler(path) }
    func handleEvent(_ handler: @escaping (Int) -> Void) { handler(1) }
    func handleSubscribe(handler: @escaping (String, Bool) -> Void) { handler("", true) }

    // MARK: Returns what ends a registration

    func snapshots(completion: @escaping (Result<Int, any Error>) -> Void) -> ListenerRegistration {
        ListenerRegistration()
    }
    func changes(handler: @escaping (Int) -> Void) -> ValueObservation { ValueObservation() }
    func messages(handler: @escaping (String) -> Void) -> Subscription { Subscription() }
    func places(handler: @escaping (Double) -> Void) -> PlaceObserver { PlaceObserver() }

    // MARK: Stores its handler

    private var handler: ((Int) -> Void)?
    private var handlers: [(Int) -> Void] = []
    private var byName: [String: (Int) -> Void] = [:]
    func setValueHandler(_ handler: @escaping (Int) -> Void) { self.handler = handler }
    func register(handler: @escaping (Int) -> Void) { handlers.append(handler) }
    func register(name: String, callback: @escaping (Int) -> Void) { byName[name] = callback }
    func forward(handler: @escaping (Int) -> Void) { self.handler = { handler($0 + 1) } }

    // MARK: Calls it often

    func each(of numbers: [Int], completion: @escaping (Int) -> Void) {
        for number in numbers { completion(number) }
    }
    func poll(completion: @escaping (Int) -> Void) {
        while true { completion(read()) }
    }
    func lines(of text: String, completion: @escaping (Substring) -> Void) {
        text.split(separator: "\n").forEach { completion($0) }
    }
    func values(completion: @escaping (Int) -> Void) {
        publisher.sink { value in completion(value) }
    }
    func notes(handler: @escaping (String) -> Void) {
        center.addObserver(forName: "note", using: handler)
    }

    /// Fetches a value.
    ///
    /// The completion is called twice: with what is cached, then with what the server says.
    func fetch(completion: @escaping (Result<Int, any Error>) -> Void) { start(completion) }

    // MARK: Tells that there is more

    func chunks(completion: @escaping (_ data: Data, _ isLast: Bool) -> Void) { start(completion) }
    func download(completion: @escaping (_ data: Data?, _ progress: Double, (any Error)?) -> Void) {
        start(completion)
    }

    // MARK: Hands it to one of these

    func follow(handler: @escaping (Int) -> Void) { observe(handler) }
    func items(handler: @escaping (Int) -> Void) { numbers.forEach(handler) }

    // MARK: Is called like what calls its closure in a loop

    func forEach(operation: @escaping (_ row: [Int]?, (any Error)?) -> Void) {
        next { row, error in
            operation(row, error)
            if row != nil { self.forEach(operation: operation) }
        }
    }

    // MARK: Is called like a loop, or like what is called at each event from now on

    func enumerateRows(startAt first: Int, _ callback: @escaping ([String]) -> Void) { parse(first, callback) }
    func iterate(over names: [String], handler: @escaping (String) -> Void) { next(names, handler) }
    func visitNodes(_ handler: @escaping (Int) -> Void) { next([], handler) }
    func setReader(_ descriptor: Int, callback: @escaping () -> Void) { loop.add(descriptor, callback) }
    func setOnTermination(_ callback: @escaping () -> Void) { loop.end(callback) }
    func before(_ closure: @escaping () -> Void) { hooks(closure) }
    func after(_ closure: @escaping () -> Void) { hooks(closure) }
    func sink(
        receiveCompletion: @escaping (Result<Void, any Error>) -> Void,
        receiveValue: @escaping (Int) -> Void
    ) -> Stop { Stop() }

    private func read() -> Int { 1 }
}
