// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Functions that call their handler once, although something about them is like one that does not.

import Foundation

final class Client {
    private var completion: ((Int) -> Void)?
    private var waiting: [(Result<Int, any Error>) -> Void] = []

    func onboard(completion: @escaping (Int) -> Void) { completion(1) }
    func address(completion: @escaping (String) -> Void) { completion("") }
    func start(completion: @escaping (Int) -> Void) { self.completion = completion }
    func token(completion: @escaping (Result<Int, any Error>) -> Void) { waiting.append(completion) }
    func first(of numbers: [Int], completion: @escaping (Int) -> Void) {
        for number in numbers where number > 1 { return completion(number) }
        completion(0)
    }
    func load(handler: @escaping (Result<Int, any Error>) -> Void) { handler(.success(1)) }
    func setData(_ data: Int, handler: @escaping ((any Error)?) -> Void) { handler(nil) }
    func setTimer(for seconds: Int, completion: @escaping () -> Void) { completion() }
    func settings(handler: @escaping (Int) -> Void) { handler(1) }
    func visitor(of page: Int, handler: @escaping (Int) -> Void) { handler(page) }
    func withdraw(handler: @escaping (Int) -> Void) { handler(1) }
    func withToken(handler: @escaping (Result<Int, any Error>) -> Void) { handler(.success(1)) }
    func stream(completion: @escaping (Result<Int, any Error>) -> Void) { completion(.success(1)) }
}
