// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("WaitingLine", .timeLimit(.minutes(10)))
struct WaitingLineTests {
    private static func line(of count: Int) -> WaitingLine<Int> {
        var line = WaitingLine<Int>()
        for id in 0..<count { line.append(id, id: UInt64(id)) }
        return line
    }

    @Test func `an empty one gives nobody`() {
        var line = WaitingLine<Int>()
        #expect(line.isEmpty == true)
        #expect(line.popFirst() == nil)
        #expect(line.remove(1) == nil)
        #expect(line.removeAll() == [])
    }

    @Test func `first come first served, without those who left`() {
        var line = Self.line(of: 6)
        #expect(line.remove(0) == 0)
        #expect(line.remove(3) == 3)
        #expect(line.remove(3) == nil)
        #expect(line.count == 4)
        #expect(line.popFirst() == 1)
        #expect(line.remove(1) == nil)
        #expect(line.removeAll() == [2, 4, 5])
        #expect(line.isEmpty == true)
    }

    /// What leaving costs is counted in numbers looked at: with n of them it is linear, in whatever order they leave.
    @Test(arguments: ["first", "last", "shuffled"])
    func `leaving costs the same for each, however many there are`(_ order: String) {
        for count in [1_000, 16_000, 64_000] {
            var line = Self.line(of: count)
            var ids = Array(0..<count)
            var random = SplitMix(seed: 7)
            switch order {
            case "last": ids.reverse()
            case "shuffled": ids.shuffle(using: &random)
            default: break
            }
            var left = 0
            for id in ids where line.remove(UInt64(id)) == id { left += 1 }
            #expect(left == count)
            #expect(line.isEmpty == true)
            #expect(line.steps <= 3 * count)
        }
    }

    /// One waits in front forever, and others come and go: their numbers do not pile up.
    @Test func `those who leave behind the first leave nothing behind`() {
        var line = Self.line(of: 1)
        for id in 1...100_000 {
            line.append(id, id: UInt64(id))
            #expect(line.remove(UInt64(id)) == id)
        }
        #expect(line.steps <= 300_000)
        #expect(line.removeAll() == [0])
    }

    @Test(arguments: UInt64(1)...50)
    func `random operations agree with an array`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var line = WaitingLine<Int>()
        var model: [Int] = []
        for id in 0..<2_000 {
            switch UInt64.random(in: 0..<100, using: &random) {
            case 0:
                #expect(line.removeAll() == model)
                model = []
            case 1..<50:
                line.append(id, id: UInt64(id))
                model.append(id)
            case 50..<85:
                let victim = Int.random(in: 0...id, using: &random)
                let index = model.firstIndex(of: victim)
                #expect(line.remove(UInt64(victim)) == index.map { model.remove(at: $0) })
            default:
                #expect(line.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(line.count == model.count)
        }
        #expect(line.removeAll() == model)
    }
}

@Suite("CallbackSequence: many waiting senders", .timeLimit(.minutes(10)))
struct ManyWaitingSendersTests {
    /// Each cancellation takes its own sender out, under the lock of that task's status.
    @Test func `are cancelled one by one`() async {
        let count = 16_000
        let place = Place()
        let undelivered = Log<Int>()
        BridgeDiagnostics.tracksPendingWaits = true
        let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(
            buffering: .watermark(low: 0, high: 1),
            onUndelivered: { undelivered($0) },
            fileID: Place.fileID,
            line: place.line
        )
        sink.yield(-1)
        let senders = (0..<count).map { number in Task { try await sink.send(number) } }
        await until { place.waits(of: "CallbackSequence.Sink.send") == count }
        for sender in senders { sender.cancel() }
        var cancelled = 0
        for sender in senders {
            do { _ = try await sender.value } catch { cancelled += 1 }
        }
        #expect(cancelled == count)
        #expect(undelivered.all.sorted() == Array(0..<count))
        sink.finish()
        withExtendedLifetime(sequence) {}
    }
}
