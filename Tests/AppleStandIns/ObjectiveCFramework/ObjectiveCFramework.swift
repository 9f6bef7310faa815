// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// What the compiler makes of a framework in Objective-C: a class that is not Sendable, blocks that say nothing of
// threads, and beside each method with a completion handler one that is async.

open class QuoteLoader: NSObject {
    private var forgotten = false

    /// - (void)loadQuoteWithID:(NSInteger)id
    ///       completionHandler:(void (^)(NSString * _Nullable, NSError * _Nullable))handler;
    open func loadQuote(withID id: Int, completionHandler: @escaping (String?, Error?) -> Void) {
        // The mistake of many old APIs: a path without an answer.
        guard id > 0 else { return }
        DispatchQueue.global().async {
            id == 1
                ? completionHandler("Well begun is half done.", nil)
                : completionHandler(nil, CocoaError(.fileNoSuchFile))
        }
    }

    open func loadQuote(withID id: Int) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            self.loadQuote(withID: id) { text, error in
                if let text {
                    continuation.resume(returning: text)
                } else {
                    continuation.resume(throwing: error ?? CocoaError(.fileNoSuchFile))
                }
            }
        }
    }
}
