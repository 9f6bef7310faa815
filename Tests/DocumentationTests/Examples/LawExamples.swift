// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

// Examples that are tests themselves, and so cannot stand in `Snippets/`.

// Serialised: some scenarios misuse their bridge, which is reported for the whole process.
@Suite("The examples of the law suites", .serialized, .timeLimit(.minutes(10)))
struct LawExamples {
    @Suite struct OfOneShots {
        @Test func obeysTheLaws() async {
            let violations = await OneShotLaws.check("fetchQuote") { source in
                try await withCallback { callback in
                    source.start(callback.handler())
                } onCancel: { handle in
                    handle.cancel()
                }
            }
            #expect(violations.isEmpty, "\(violations)")
        }

        @Test func `gives up after a time`() async {
            // snippet.TIMEOUT
            let violations = await OneShotLaws.check(
                "client",
                promises: .standard.with { $0.timeout = .seconds(5) }
            ) { source in
                try await withCallback(timeout: .after(.seconds(5), on: source.clock)) { callback in
                    source.start(callback.handler())
                } onCancel: { handle in
                    handle.cancel()
                }
            }
            // snippet.end
            #expect(violations.isEmpty, "\(violations)")
        }

        // snippet.EACH
        @Test(.serialized, arguments: OneShotLaws.scenarioNames())
        func `obeys the law`(when scenario: String) async {
            let violations = await OneShotLaws.check("fetchQuote", only: [scenario]) { source in
                try await withCallback { callback in
                    source.start(callback.handler())
                } onCancel: { handle in
                    handle.cancel()
                }
            }
            #expect(violations.isEmpty, "\(violations)")
        }
        // snippet.end

        @Test func promises() {
            let promises: OneShotPromises =
                // snippet.PROMISES
                .standard.with { $0.cancellation = .cooperative }
            // snippet.end
            #expect(OneShotLaws.scenarioNames(for: promises).count > 0)
        }
    }

    @Suite struct OfSequences {
        @Test func obeysTheLaws() async {
            let violations = await SequenceLaws.check("locations") { source in
                CallbackSequence<Int, any Error> { sink in
                    let handle = source.start(
                        onElement: sink.handler(),
                        onCompletion: { if let error = $0 { sink.fail(error) } else { sink.finish() } }
                    )
                    return { handle.cancel() }
                }
            }
            #expect(violations.isEmpty, "\(violations)")
        }

        @Test func promises() {
            let promises: SequencePromises =
                // snippet.PROMISES
                .standard.with { $0.overflow = .countsDrops }
            // snippet.end
            #expect(SequenceLaws.scenarioNames(for: promises).count > 0)
        }
    }
}
