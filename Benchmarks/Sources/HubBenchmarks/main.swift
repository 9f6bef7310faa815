import AsyncBridge

@inline(never) func callNow(_ completion: (Result<Int, any Error>) -> Void) { completion(.success(1)) }

func time(_ name: String, _ n: Int, _ body: (Int) async throws -> Void) async throws {
    var best = Double.infinity
    for _ in 0..<7 {
        let t = ContinuousClock.now
        try await body(n)
        let d = ContinuousClock.now - t
        best = min(best, Double(d.components.attoseconds) / 1e9 + Double(d.components.seconds) * 1e9)
    }
    print(name, best / Double(n), "ns")
}
@inline(never) nonisolated(nonsending) func ours(_ i: Int) async throws -> Int {
    try await withCallback(startsWhenCancelled: true) { cb in callNow { cb.resume(with: $0) } }
}
@inline(never) nonisolated(nonsending) func checked(_ i: Int) async throws -> Int {
    try await withCheckedThrowingContinuation { cb in callNow { cb.resume(with: $0) } }
}
@inline(never) nonisolated(nonsending) func checkedNon(_ i: Int) async -> Int {
    await withCheckedContinuation { cb in callNow { cb.resume(returning: try! $0.get()) } }
}
@concurrent func run() async throws {
    try await time("ours", 1_000_000) { n in var s = 0; for i in 0..<n { s &+= try await ours(i) }; precondition(s == n) }
    if CommandLine.arguments.count > 1 { return }
    try await time("checked throwing", 1_000_000) { n in var s = 0; for i in 0..<n { s &+= try await checked(i) }; precondition(s == n) }
    try await time("checked", 1_000_000) { n in var s = 0; for i in 0..<n { s &+= await checkedNon(i) }; precondition(s == n) }
}
try await run()
