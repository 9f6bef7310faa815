// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

/// There is only one of each.
struct Ticket: ~Copyable, Sendable {
    let number: Int

    @Bridged
    static func first() async -> Ticket { Ticket(number: 1) }

    @Bridged
    static func same() async -> Self? { nil }
}

/// There is only one of each, and it is not Sendable.
struct Stub: ~Copyable {
    let picture: Picture
}

final class TicketOffice: Sendable {
    /// Sells a ticket.
    @Bridged
    func ticket(_ number: Int) async throws -> Ticket { Ticket(number: number) }

    @Bridged
    func fails() async throws -> Ticket { throw ParseError(column: 4) }

    @Bridged
    func stub() async -> sending Stub { Stub(picture: Picture()) }

    @Bridged(.unchecked)
    func kept() async -> Stub { Stub(picture: Picture()) }

    @Bridged
    func generic<Value: ~Copyable & Sendable>(_ make: @Sendable () -> Value) async -> Value { make() }
}

actor TicketBox {
    @Bridged
    func ticket() async -> Ticket { Ticket(number: 7) }

    @Bridged(.unchecked)
    func kept() async -> Stub { Stub(picture: Picture()) }
}

@MainActor
final class TicketCounter {
    @Bridged
    func ticket() async -> Ticket { Ticket(number: 9) }
}

enum OnlyOnes {
    static func results() async throws -> [String] {
        let office = TicketOffice()
        let counter = await MainActor.run { TicketCounter() }
        let box = TicketBox()
        return [
            try await withCallback { callback in Ticket.first { callback.resume(returning: Self.number($0)) } },
            try await withCallback { callback in Ticket.same { callback.resume(returning: Self.none($0)) } },
            try await withCallback { callback in office.ticket(3) { callback.resume(returning: Self.number($0)) } },
            try await withCallback { callback in office.fails { callback.resume(returning: Self.number($0)) } },
            try await withCallback { callback in office.stub { callback.resume(returning: Self.width($0)) } },
            try await withCallback { callback in office.kept { callback.resume(returning: Self.width($0)) } },
            try await withCallback { callback in
                office.generic({ Ticket(number: 6) }, completion: { callback.resume(returning: Self.number($0)) })
            },
            try await withCallback { callback in box.ticket { callback.resume(returning: Self.number($0)) } },
            try await withCallback { callback in box.kept { callback.resume(returning: Self.width($0)) } },
            try await withCallback { callback in
                Task { @MainActor in counter.ticket { callback.resume(returning: Self.number($0)) } }
            },
        ]
    }

    private static func number(_ result: consuming Result<Ticket, any Error>) -> String {
        switch consume result {
        case .success(let ticket): "\(ticket.number)"
        case .failure(let error): "\(error)"
        }
    }

    private static func none(_ result: consuming Result<Ticket?, any Error>) -> String {
        switch consume result {
        case .success(.none): "none"
        case .success(.some(let ticket)): "\(ticket.number)"
        case .failure(let error): "\(error)"
        }
    }

    private static func width(_ result: consuming Result<Stub, any Error>) -> String {
        switch consume result {
        case .success(let stub): "width \(stub.picture.width)"
        case .failure(let error): "\(error)"
        }
    }
}
#endif
