// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

/// Values of Foundation's types, in all forms.
///
/// The compiler (6.3.1) crashed on some of them in a release build, so that these are tests of a build as well.
@Suite("withCallback with Foundation's values")
struct FoundationValueTests {
    private struct Failure: Error {}

    private let data = Data("quote".utf8)

    /// Answers late, so that the whole function is run.
    private func late<Value: Sendable, E: Error>(_ value: Value, to callback: Callback<Value, E>) {
        Task { callback.resume(returning: value) }
    }

    @Test func untyped() async throws {
        let value = try await withCallback { self.late(self.data, to: $0) }
        #expect(value == self.data)
        let cancellable = try await withCallback {
            self.late(self.data, to: $0)
        } onCancel: { _ in
        }
        #expect(cancellable == self.data)
    }

    @Test func typed() async throws {
        let value = try await withCallback(throwing: Failure.self) { self.late(self.data, to: $0) }
        #expect(value == self.data)
        let cancellable = try await withCallback(throwing: Failure.self) {
            self.late(self.data, to: $0)
        } onCancel: { _ in
        }
        #expect(cancellable == self.data)
    }

    @Test func mapped() async throws {
        let value = try await withCallback(throwing: Failure.self, interrupted: { _ in Failure() }) {
            self.late(self.data, to: $0)
        }
        #expect(value == self.data)
        let cancellable = try await withCallback(throwing: Failure.self, interrupted: { _ in Failure() }) {
            self.late(self.data, to: $0)
        } onCancel: { _ in
        }
        #expect(cancellable == self.data)
    }

    @Test func nonThrowing() async {
        let value = await withCallback(ifDropped: nil) { self.late(self.data, to: $0) }
        #expect(value == self.data)
        let cancellable = await withCallback(ifInterrupted: { _ in Data() }) {
            self.late(self.data, to: $0)
        } onCancel: { _ in
        }
        #expect(cancellable == self.data)
    }

    @Test func tuple() async throws {
        let (data, url) = try await withCallback(of: (Data, URL).self) { callback in
            let answer: @Sendable (Data?, URL?, (any Error)?) -> Void = callback.handler()
            Task { answer(self.data, URL(fileURLWithPath: "/"), nil) }
        }
        #expect(data == self.data)
        #expect(url.isFileURL)
    }
}
