// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros
import Foundation

/// An error that Objective-C knows, without the bridges of Apple's Foundation.
final class TransferError: NSObject, Error, @unchecked Sendable {}

@objcMembers
class Exposed: NSObject {
    @Bridged
    open func fetch(
        completionHandler: @escaping (URLResponse?, HTTPURLResponse?, TransferError?) -> Void
    ) -> URLSessionDataTask {
        fatalError()
    }

    @Bridged
    func load(_ id: Int, completionHandler: @escaping @Sendable (URLResponse?, TransferError?) -> Void) {}
}

class Partly: NSObject {
    @objc(fetchWithCompletion:)
    @Bridged
    dynamic func fetch(completion: @escaping (TransferError?) -> Void) {}

    @objc
    @Bridged
    class func press(_ sender: Any, completion: (() -> Void)!) {}
}

@MainActor
final class Store: NSObject {
    @objc
    @Bridged
    func load(_ id: Int) async -> Int { id }
}

@BridgedProtocol
@objc
protocol Fetching {
    func fetch(_ id: Int, completion: @escaping (Int) -> Void)
}
