// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "SwiftUI and UIKit": SwiftUI and UIKit.

// snippet.MODEL
import AsyncBridge
import SwiftUI
import UIKit

import struct Synchronization.Atomic

@MainActor @Observable
final class QuoteModel {
    private(set) var quote = "…"
    private let client: QuoteClient

    init(client: QuoteClient) { self.client = client }

    func load() async {
        do {
            self.quote = try await withCallback(timeout: .seconds(10)) { callback in
                self.client.fetchQuote(id: 1, completion: callback.handler())
            }
        } catch is CancellationError {
            // The view has gone: there is nobody to tell.
        } catch {
            self.quote = "There is no quote today."
        }
    }

    func watch() async {
        for await quote in self.client.quotes { self.quote = quote }
    }
}

struct QuoteView: View {
    @State private var model: QuoteModel

    // Not by assignment: with a default value SwiftUI ignores it.
    init(model: QuoteModel) { self._model = State(initialValue: model) }

    var body: some View {
        Text(self.model.quote)
            .task {
                await self.model.load()
                await self.model.watch()
            }
    }
}
// snippet.end

// snippet.CONTROLLER
final class QuoteViewController: UIViewController {
    private let label = UILabel()
    private let client = QuoteClient()
    private var work: Task<Void, Never>?

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Called twice when a swipe back is given up.
        self.work?.cancel()
        self.work = Task { [client, label] in
            for await quote in client.quotes { label.text = quote }
        }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        self.work?.cancel()
    }
}
// snippet.end

// snippet.CONFIRM
extension UIViewController {
    func confirm(_ question: String) async -> Bool {
        await withCallback(of: Bool.self, ifInterrupted: { _ in false }) { callback in
            let alert = UIAlertController(title: question, message: nil, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "Yes", style: .default) { _ in callback.resume(returning: true) })
            alert.addAction(UIAlertAction(title: "No", style: .cancel) { _ in callback.resume(returning: false) })
            self.present(alert, animated: true)
        }
    }
}
// snippet.end

@MainActor
func run() async {
    let model = QuoteModel(client: QuoteClient())
    let screen = Screen(QuoteView(model: model))
    while model.quote != "Festina lente." { await Task.yield() }
    print("the view shows: \(model.quote)")
    await screen.close()
    await quotesHaveStopped()

    let controller = QuoteViewController()
    // A swipe back is given up in between.
    for quote in ["Carpe diem.", "Tempus fugit."] {
        controller.viewWillAppear(true)
        while controller.text != quote { await Task.yield() }
    }
    controller.viewDidDisappear(true)
    await quotesHaveStopped()
    print("confirmed: \(await controller.confirm("Delete it?"))")
}
await run()

// snippet.hide

@MainActor
func quotesHaveStopped() async {
    while QuoteClient.running.load(ordering: .relaxed) > 0 { await Task.yield() }
    print("the quotes have stopped")
}

extension QuoteViewController {
    var text: String? { self.label.text }
}

/// A client with callbacks.
nonisolated final class QuoteClient: Sendable {
    func fetchQuote(id: Int, completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
        DispatchQueue.global().async { completion("Well begun is half done.", nil) }
    }

    /// How many loops there were, and how many of them still run.
    static let started = Atomic(0)
    static let running = Atomic(0)

    /// Quotes without an end.
    var quotes: CallbackSequence<String, Never> {
        CallbackSequence { sink in
            Self.running.add(1, ordering: .relaxed)
            let loop = Self.started.add(1, ordering: .relaxed).oldValue
            sink.yield(["Festina lente.", "Carpe diem.", "Tempus fugit."][loop])
            return {
                // Kept until the loop is left.
                withExtendedLifetime(sink) {}
                Self.running.subtract(1, ordering: .relaxed)
            }
        }
    }
}
