// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

/// Called like an error, and none.
struct SensorError: Sendable {
    var code: Int
}

/// Called like an error, none, and not Sendable.
final class WireError {
    let code: Int

    init(_ code: Int) { self.code = code }
}

/// Errors of which only the protocol is known.
protocol KnownError: Error {
    var code: Int { get }
}

struct LineError: KnownError {
    var code: Int
}

enum Tower {
    /// Called like an error of the standard library, and none.
    struct CancellationError: Sendable, Equatable {
        var code: Int
    }
}

/// An API that reports failures with all of these.
final class Sensor: Sendable {
    @Bridged
    func text(completion: @escaping @Sendable (String?, SensorError?) -> Void) { completion(nil, SensorError(code: 1)) }

    @Bridged
    func whole(completion: @escaping @Sendable (String?, SensorError?) -> Void) { completion("2", nil) }

    @Bridged
    func reset(completion: @escaping @Sendable (SensorError?) -> Void) { completion(SensorError(code: 3)) }

    @Bridged
    func errorFirst(completion: @escaping @Sendable (SensorError?, Int?) -> Void) {
        completion(SensorError(code: 4), nil)
    }

    @Bridged
    func errorBetween(completion: @escaping @Sendable (Int?, SensorError?, Bool) -> Void) {
        completion(nil, SensorError(code: 5), false)
    }

    @Bridged
    func two(completion: @escaping @Sendable (Int, String?, SensorError?) -> Void) {
        completion(0, nil, SensorError(code: 6))
    }

    @Bridged
    func three(completion: @escaping @Sendable (Int?, String?, Bool, SensorError?) -> Void) {
        completion(0, nil, true, SensorError(code: 7))
    }

    @Bridged
    func four(completion: @escaping @Sendable (Int?, Int?, Int?, Int?, SensorError?) -> Void) {
        completion(nil, nil, nil, nil, SensorError(code: 8))
    }

    @Bridged(.optional)
    func perhaps(completion: @escaping @Sendable (Int?, SensorError?) -> Void) {
        completion(nil, SensorError(code: 9))
    }

    @Bridged
    func known(completion: @escaping @Sendable (Int?, (any KnownError)?) -> Void) {
        completion(nil, LineError(code: 10))
    }

    @Bridged
    func pair(success: @escaping @Sendable (Int) -> Void, failure: @escaping @Sendable (SensorError) -> Void) {
        failure(SensorError(code: 11))
    }

    @Bridged
    func perhapsTold(success: @escaping @Sendable (Int) -> Void, failure: @escaping @Sendable (SensorError?) -> Void) {
        failure(SensorError(code: 12))
    }

    @Bridged
    func nested(completion: @escaping @Sendable (Int?, Tower.CancellationError?) -> Void) {
        completion(nil, Tower.CancellationError(code: 13))
    }

    @Bridged(.unchecked)
    func wire(completion: @escaping (Picture?, WireError?) -> Void) { completion(nil, WireError(14)) }

    @Bridged(.unchecked)
    func wireAlone(completion: @escaping (WireError?) -> Void) { completion(WireError(16)) }

    @Bridged(.unchecked)
    func wires(success: @escaping (Picture) -> Void, failure: @escaping (WireError) -> Void) { failure(WireError(15)) }
}

enum Misleading {
    static func results() async throws -> [String] {
        let sensor = Sensor()
        return [
            await self.failure { _ = try await sensor.text() }, try await sensor.whole(),
            await self.failure { try await sensor.reset() }, await self.failure { _ = try await sensor.errorFirst() },
            await self.failure { _ = try await sensor.errorBetween() },
            await self.failure { _ = try await sensor.two() }, await self.failure { _ = try await sensor.three() },
            await self.failure { _ = try await sensor.four() }, await self.failure { _ = try await sensor.perhaps() },
            await self.failure { _ = try await sensor.known() }, await self.failure { _ = try await sensor.pair() },
            await self.failure { _ = try await sensor.perhapsTold() },
            await self.failure { _ = try await sensor.nested() }, await self.failure { _ = try await sensor.wire() },
            await self.failure { _ = try await sensor.wires() },
            await self.failure { try await sensor.wireAlone() },
        ]
    }

    /// What is thrown.
    private static func failure(_ body: @Sendable () async throws -> Void) async -> String {
        do {
            try await body()
            return "nothing"
        } catch let failure as ReportedFailure<SensorError> {
            return "\(failure.value.code)"
        } catch let failure as ReportedFailure<WireError> {
            return "\(failure.value.code) unchecked"
        } catch let failure as ReportedFailure<Tower.CancellationError> {
            return "\(failure.value.code) nested"
        } catch let error as any KnownError {
            return "\(error.code) itself"
        } catch {
            return "\(error)"
        }
    }
}
#endif
