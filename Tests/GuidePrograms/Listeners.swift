// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "I have a listener for as long as the app runs": payment queues, sign-in states.

// snippet.STORE
import AsyncBridge
import StoreKit

struct Purchase: Sendable {
    let id: String
    let product: String
}

@MainActor
final class Store: NSObject, @MainActor SKPaymentTransactionObserver {
    let purchases: SharedSequence<CallbackSequence<Purchase, any Error>>
    private let sink: CallbackSequence<Purchase, any Error>.Sink
    private var unfinished: [String: SKPaymentTransaction] = [:]

    override init() {
        let (purchases, sink) = CallbackSequence<Purchase, any Error>.makeSequence()
        self.purchases = purchases.share()
        self.sink = sink
        super.init()
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            let id = transaction.transactionIdentifier ?? ""
            self.unfinished[id] = transaction
            self.sink.yield(Purchase(id: id, product: transaction.payment.productIdentifier))
        }
    }

    /// Only what has been delivered is finished: the queue sends the rest again at the next start.
    func finish(_ purchase: Purchase) {
        guard let transaction = self.unfinished.removeValue(forKey: purchase.id) else { return }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    func close() {
        SKPaymentQueue.default().remove(self)
        self.sink.finish()
    }
}
// snippet.end

@MainActor
func deliver(_ store: Store) async throws {
    // snippet.DELIVER
    for try await purchase in store.purchases {
        unlock(purchase.product)
        store.finish(purchase)
    }
    // snippet.end
}

@MainActor
func unlock(_ product: String) {
    print("unlocked \(product)")
    delivered += 1
}

var delivered = 0

// snippet.LISTENER
extension SignIn {
    /// The user's name at each change, nil without one; each loop has a listener of its own.
    var users: CallbackSequence<String?, Never> {
        CallbackSequence(buffering: .bounded(1, whenFull: .dropOldest)) { sink in
            let listener = self.addStateDidChangeListener(sink.handler())
            return { self.removeStateDidChangeListener(listener) }
        }
    }
}
// snippet.end

let store = Store()
let delivery = Task { try await deliver(store) }
while delivered < 2 { await Task.yield() }
store.close()
try await delivery.value

@MainActor
func firstUser() async {
    for await user in SignIn().users {
        print("signed in: \(user ?? "nobody")")
        break
    }
}
await firstUser()

// snippet.hide

/// A library with listeners and handles.
nonisolated final class SignIn: Sendable {
    nonisolated final class Listener: Sendable {
        let call: @Sendable (String?) -> Void

        init(_ call: @escaping @Sendable (String?) -> Void) { self.call = call }
    }

    func addStateDidChangeListener(_ call: @escaping @Sendable (String?) -> Void) -> Listener {
        call("Ada")
        return Listener(call)
    }

    func removeStateDidChangeListener(_ listener: Listener) { print("the listener was removed") }
}
