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
    /// Only what was purchased or restored has one.
    public let transactionIdentifier: String?
    public let transactionState: SKPaymentTransactionState

    init(_ number: Int, _ state: SKPaymentTransactionState) {
        self.payment = SKPayment("product \(number)")
        self.transactionIdentifier = state == .purchased || state == .restored ? "\(number)" : nil
        self.transactionState = state
    }
}

public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
}

open class SKPaymentQueue: NSObject {
    private static let queue = SKPaymentQueue()

    private weak var observer: SKPaymentTransactionObserver?

    /// What is not finished yet, of earlier runs.
    open private(set) var transactions = [
        SKPaymentTransaction(1, .purchased), SKPaymentTransaction(2, .purchased), SKPaymentTransaction(3, .failed),
        SKPaymentTransaction(4, .restored), SKPaymentTransaction(5, .purchased),
    ]

    open var transactionObservers: [SKPaymentTransactionObserver] { self.observer.map { [$0] } ?? [] }

    open class func `default`() -> SKPaymentQueue { self.queue }

    /// What is not finished arrives at once, and the first one twice.
    open func add(_ observer: SKPaymentTransactionObserver) {
        self.observer = observer
        DispatchQueue.main.async {
            self.observer?.paymentQueue(self, updatedTransactions: self.transactions + self.transactions.prefix(1))
        }
    }

    open func remove(_ observer: SKPaymentTransactionObserver) {
        self.observer = nil
    }

    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        print("finished \(transaction.payment.productIdentifier)")
        self.transactions.removeAll { $0 === transaction }
    }
}
