// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Listeners that last as long as the app": payment queues, sign-in states.

// snippet.LISTENER
import AsyncBridge
@preconcurrency import SignInLibrary  // Its classes are not Sendable.
import StoreKit

extension SignIn {
    /// The user's name at each change, nil without one; each loop has a listener of its own.
    var users: CallbackSequence<String?, Never> {
        CallbackSequence(buffering: .newest(capacity: 1)) { sink in
            let listener = self.addStateDidChangeListener(sink.handler())
            return { self.removeStateDidChangeListener(listener) }
        }
    }
}
// snippet.end

// snippet.STORE
struct Purchase: Sendable {
    let id: String
    let product: String
}

@MainActor
final class Store: NSObject, @MainActor SKPaymentTransactionObserver {
    private let sink: CallbackSequence<Purchase, Never>.Sink
    private var delivery: Task<Void, Never>?
    private var unfinished: [String: SKPaymentTransaction] = [:]

    init(unlock: @escaping @MainActor (Purchase) async throws -> Void) {
        let (purchases, sink) = CallbackSequence<Purchase, Never>.makeSequence()
        self.sink = sink
        super.init()
        self.delivery = Task {
            // Not what came a second time, and was unlocked meanwhile.
            for await purchase in purchases where self.unfinished[purchase.id] != nil {
                // What fails is not finished: the queue sends it again at the next start.
                do { try await unlock(purchase) } catch { continue }
                self.finish(purchase)
            }
        }
        SKPaymentQueue.default().add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored:
                // These two have an identifier.
                guard let id = transaction.transactionIdentifier else { continue }
                self.unfinished[id] = transaction
                self.sink.yield(Purchase(id: id, product: transaction.payment.productIdentifier))
            case .failed:
                queue.finishTransaction(transaction)
            default:
                // Not decided yet: it comes again.
                break
            }
        }
    }

    private func finish(_ purchase: Purchase) {
        guard let transaction = self.unfinished.removeValue(forKey: purchase.id) else { return }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    /// Delivers what has come, and ends.
    func close() async {
        SKPaymentQueue.default().remove(self)
        self.sink.finish()
        await self.delivery?.value
    }
}
// snippet.end

struct ServerIsDown: Error {}

var attempts = 0

@MainActor
func unlock(_ purchase: Purchase) async throws {
    attempts += 1
    await Task.yield()
    if attempts == 2 {
        print("could not unlock \(purchase.product)")
        throw ServerIsDown()
    }
    print("unlocked \(purchase.product)")
}

@MainActor
func report(_ queue: SKPaymentQueue) {
    print("left in the queue: \(queue.transactions.map(\.payment.productIdentifier))")
    print("observers: \(queue.transactionObservers.count)")
}

// snippet.DELIVER
let store = Store(unlock: unlock)
// snippet.end
// All five have come, and four of them wait behind the first.
while attempts < 1 { await Task.yield() }
await store.close()
report(SKPaymentQueue.default())

print("the next start")
let nextStore = Store(unlock: unlock)
while attempts < 5 { await Task.yield() }
await nextStore.close()
report(SKPaymentQueue.default())

@MainActor
func firstUser() async {
    for await user in SignIn().users {
        print("signed in: \(user ?? "nobody")")
        break
    }
}
await firstUser()
