// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("What completion handlers say", .timeLimit(.minutes(10)))
struct TransferAnswerTests {
    private let response = URLResponse(
        url: URL(fileURLWithPath: "/"),
        mimeType: nil,
        expectedContentLength: 0,
        textEncodingName: nil
    )
    private let failure = URLError(.timedOut)

    private func code(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) -> TransferError.Code? {
        guard case .failure(let error as TransferError) = TransferAnswer.of(data, response, error) else { return nil }
        return error.code
    }

    @Test func `data and response`() throws {
        #expect(try TransferAnswer.of(Data([1]), self.response, nil).get().data == Data([1]))
    }

    @Test func `an error alone is thrown as it is`() {
        #expect(throws: URLError.self) { try TransferAnswer.of(nil as Data?, nil, self.failure).get() }
        #expect(throws: URLError.self) { try TransferAnswer.of(Data(), self.response, self.failure).get() }
        #expect(throws: URLError.self) { try TransferAnswer.of(nil as URL?, self.response, self.failure).get() }
    }

    @Test func `quirks have errors of their own`() {
        #expect(self.code(nil, nil, nil) == .noAnswer)
        #expect(self.code(nil, self.response, nil) == .noData)
        #expect(self.code(Data(), nil, nil) == .noResponse)
        #expect(self.code(Data([1]), self.response, self.failure) == .incomplete)
    }

    @Test func `an error with data keeps both`() throws {
        guard case .failure(let error as TransferError) = TransferAnswer.of(Data([1]), nil, self.failure) else {
            Issue.record("no TransferError")
            return
        }
        #expect(error.partialData == Data([1]))
        #expect(error.underlyingError is URLError)
    }
}
