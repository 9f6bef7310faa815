// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import Dispatch
import NIOCore
import Synchronization

/// A loop on the test's thread that can end at a chosen moment: then it drops what it is given, as NIO's do.
final class LoopThatStops: EventLoop {
    private let hasStopped = Atomic(false)
    private let tasks = Mutex<[@Sendable () -> Void]>([])

    /// Ends it; from now on every thread is another one.
    func stop() {
        self.hasStopped.store(true, ordering: .relaxed)
        _ = self.tasks.withLock { exchange(&$0) }
    }

    /// Does something as if it had not ended.
    func whileRunning(_ body: () -> Void) {
        let hasStopped = self.hasStopped.load(ordering: .relaxed)
        self.hasStopped.store(false, ordering: .relaxed)
        body()
        self.hasStopped.store(hasStopped, ordering: .relaxed)
    }

    /// Runs what waits.
    func run() { for task in self.tasks.withLock({ exchange(&$0) }) { task() } }

    private func exchange(_ tasks: inout [@Sendable () -> Void]) -> [@Sendable () -> Void] {
        defer { tasks = [] }
        return tasks
    }

    var inEventLoop: Bool { !self.hasStopped.load(ordering: .relaxed) }

    func execute(_ task: @escaping @Sendable () -> Void) {
        if self.inEventLoop { self.tasks.withLock { $0.append(task) } }
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        Scheduled(promise: self.makePromise(), cancellationTask: {})
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        self.scheduleTask(deadline: .distantFuture, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {}
}

/// An active channel on a loop that stops; it keeps what is written.
///
/// Safe: used by the test's thread alone.
final class ChannelThatStops: Channel, ChannelCore, @unchecked Sendable {
    let loop = LoopThatStops()
    private(set) var written: [String] = []
    private var made: ChannelPipeline?

    init() { self.made = ChannelPipeline(channel: self) }

    /// Ends the channel: it and its pipeline keep each other until then.
    func remove() {
        self.loop.whileRunning { self.removeHandlers(pipeline: self.pipeline) }
        self.made = nil
    }

    var eventLoop: any EventLoop { self.loop }
    var pipeline: ChannelPipeline { self.made ?? ChannelPipeline(channel: self) }
    var allocator: ByteBufferAllocator { ByteBufferAllocator() }
    var closeFuture: EventLoopFuture<Void> { self.loop.makeSucceededVoidFuture() }
    var localAddress: SocketAddress? { nil }
    var remoteAddress: SocketAddress? { nil }
    var parent: (any Channel)? { nil }
    var isWritable: Bool { true }
    var isActive: Bool { true }
    var _channelCore: any ChannelCore { self }

    func setOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> EventLoopFuture<Void> {
        self.loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func getOption<Option: ChannelOption>(_ option: Option) -> EventLoopFuture<Option.Value> {
        self.loop.makeFailedFuture(ChannelError.operationUnsupported)
    }

    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func register0(promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func registerAlreadyConfigured0(promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func bind0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func connect0(to: SocketAddress, promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func flush0() {}
    func read0() {}
    func triggerUserOutboundEvent0(_ event: Any, promise: EventLoopPromise<Void>?) { promise?.succeed() }
    func channelRead0(_ data: NIOAny) {}
    func errorCaught0(error: any Error) {}

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.written.append(self.unwrapData(data, as: String.self))
        promise?.succeed()
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) { promise?.succeed() }
}
#endif
