// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// The part of StoreKit's payment queue that the guide uses, with the signatures of Apple's SDK.

public enum SKPaymentTransactionState: Int, Sendable {
    case purchasing, purchased, failed, restored, deferred
}

open class SKPayment: NSObject {
    public let productIdentifier: String

    init(_ productIdentifier: String) { self.productIdentifier = productIdentifier }
}

open class SKPaymentTransaction: NSObject {
    public let payment: SKPayment
    public let transactionIdentifier: String?
    public let transactionState = SKPaymentTransactionState.purchased

    init(_ number: Int) {
        self.payment = SKPayment("product \(number)")
        self.transactionIdentifier = "\(number)"
    }
}

public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
}

open class SKPaymentQueue: NSObject {
    private static let queue = SKPaymentQueue()

    private weak var observer: SKPaymentTransactionObserver?

    open class func `default`() -> SKPaymentQueue { self.queue }

    /// Two purchases of an earlier run arrive at once.
    open func add(_ observer: SKPaymentTransactionObserver) {
        self.observer = observer
        DispatchQueue.main.async {
            self.observer?.paymentQueue(self, updatedTransactions: [SKPaymentTransaction(1), SKPaymentTransaction(2)])
        }
    }

    open func remove(_ observer: SKPaymentTransactionObserver) {
        print("the observer was removed")
        self.observer = nil
    }

    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        print("finished \(transaction.payment.productIdentifier)")
    }
}
