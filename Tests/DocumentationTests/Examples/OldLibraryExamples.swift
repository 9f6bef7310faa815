// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import OpenCombineShim
import Testing
@preconcurrency import UnannotatedLibrary

/// Publishers of a library that is annotated with nothing.
@Suite("Publishers of an unannotated library", .timeLimit(.minutes(10)))
struct OldLibraryExamples {
    @MainActor @Test func `of a function that calls back`() async throws {
        let client = QuoteClient()
        // snippet.FUNCTION
        let quote = TaskPublisher {
            try await withCallback { client.fetchQuote(id: 1, completion: $0.handler()) }
        }
        // snippet.end
        #expect(try await quote.firstValue().text == "Well begun is half done.")
    }

    @MainActor @Test func `of a source that keeps calling`() async throws {
        let receiver = Receiver()
        // snippet.SOURCE
        let locations = CallbackSequence<Location, any Error> { sink in
            let watch = receiver.watch(onFix: sink.handler(), onError: sink.errorHandler())
            return { watch.stop() }
        }
        let publisher = locations.publisher(on: MainActor.shared)
        // snippet.end
        #expect(try await publisher.firstValue().latitude == 48.2)
    }
}
#endif
