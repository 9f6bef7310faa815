import AsyncBridge
import Testing
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct Smoke {
    @Test func now() async throws {
        #expect(try await withCallback { cb in cb.resume(returning: 3) } == 3)
    }
    @Test func later() async throws {
        let v = try await withCallback { cb in DispatchQueue.global().async { cb.resume(returning: "x") } }
        #expect(v == "x")
    }
    @Test func dropped() async throws {
        await #expect(throws: BridgeFault.self) { try await withCallback(of: Int.self) { cb in DispatchQueue.global().async { _ = cb } } }
        await #expect(throws: BridgeFault.self) { try await withCallback(of: Int.self) { cb in _ = cb } }
    }
    @Test func cancel() async throws {
        let t = Task { 
            try await withCallback(of: Int.self) { cb in DispatchQueue.global().asyncAfter(deadline: .now() + 1) { print("late", cb.resume(returning: 1)) } }
        }
        t.cancel()
        await #expect(throws: CancellationError.self) { try await t.value }
    }
    @Test func url() async throws {
        let (d, r) = try await withCallback { cb in
            let t = URLSession.shared.dataTask(with: URL(string: "file:///etc/hostname")!, completionHandler: cb.handler())
            t.resume()
            return t
        } onCancel: { $0.cancel() }
        print(d.count, r)
    }
    @Test func shapes() async throws {
        let h: (@escaping @Sendable ((any Error)?, Int?, String?, Double?) -> Void) -> Void = { $0(nil, 1, "a", 2.0) }
        let (a, b, c) = try await withCallback(of: (Int, String, Double).self) { cb in h(cb.handler()) }
        #expect(a == 1 && b == "a" && c == 2)
        let (d, e) = try await withCallback(of: (Int, String).self) { cb in cb(1, "s", error: nil) }
        #expect(d == 1 && e == "s")
        let x: Int = try await withCallback { cb in let f: @Sendable (Int?, (any Error)?) -> Void = cb.handler(); f(3, nil) }
        #expect(x == 3)
    }
}
