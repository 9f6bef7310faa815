// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import CProcesses
import Dispatch
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Dispatch sources", .timeLimit(.minutes(10)))
struct DispatchSourceTests {
    @Test func ticks() async throws {
        var count = 0
        for try await ticks in DispatchSource.ticks(every: .milliseconds(1)) {
            #expect(ticks >= 1)
            count += ticks
            if count >= 3 { break }
        }
    }

    @Test func `ticks: for which nobody has time, are added up`() async throws {
        var slow = DispatchSource.ticks(every: .milliseconds(1)).makeAsyncIterator()
        var fast = DispatchSource.ticks(every: .milliseconds(1)).makeAsyncIterator()
        _ = try await slow.next()
        var passed = 0
        while passed < 20 { passed += try await fast.next() ?? 0 }
        let waiting = try await slow.next() ?? 0
        let after = try await slow.next() ?? 0
        #expect(waiting + after > 5)
    }

    @Test func `ticks: cancelled`() async {
        let task = Task {
            for try await _ in DispatchSource.ticks(every: .milliseconds(1)) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func signals() async throws {
        let arrivals = Watched(0)
        let task = Task {
            for try await count in DispatchSource.signals(SIGWINCH) { arrivals.change { $0 += count } }
        }
        // The first ones may come before the source is there.
        while arrivals.value < 3 {
            kill(getpid(), SIGWINCH)
            await Task.yield()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func readable() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        var text = ""
        try pipe.fileHandleForWriting.write(contentsOf: Data("first ".utf8))
        for try await _ in DispatchSource.readable(descriptor) {
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { break }
            guard count > 0 else { continue }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            if text == "first " {
                try pipe.fileHandleForWriting.write(contentsOf: Data("second".utf8))
                try pipe.fileHandleForWriting.close()
            }
        }
        #expect(text == "first second")
    }

    @Test func `a paused source may be released`() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("text".utf8))
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        for _ in 0..<StressScale.rounds(1000) {
            var iterator = DispatchSource.readable(descriptor).makeAsyncIterator()
            #expect(try await iterator.next() == 4)
        }
        withExtendedLifetime(pipe) {}
    }

    @Test func `readable, closed at once, harms nobody`() async throws {
        for _ in 0..<StressScale.rounds(200) {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data("text".utf8))
            let sequence = DispatchSource.readable(pipe.fileHandleForReading.fileDescriptor)
            for try await count in sequence {
                #expect(count == 4)
                break
            }
            // The next pipe gets the same numbers.
            try pipe.fileHandleForReading.close()
            try pipe.fileHandleForWriting.close()
        }
    }

    /// What waits before a consumer that has been slow, when the writer has gone.
    @Test func `readable, tells of all that was left, when the writer is gone`() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let size = 60_000
        var iterator = DispatchSource.readable(descriptor).makeAsyncIterator()
        try pipe.fileHandleForWriting.write(contentsOf: Data(count: size))
        _ = try await iterator.next()
        try pipe.fileHandleForWriting.close()
        var buffer = [UInt8](repeating: 0, count: 1000)
        var total = 0
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            total += count
            if count == 0 { break }
            let guess = try #require(try await iterator.next())
            // What has been read since the element came is in it.
            #expect(guess >= size - total)
        }
        #expect(total == size)
        withExtendedLifetime(pipe) {}
    }

    /// The writer goes at a random moment while the source stands, or begins to watch again.
    @Test func `readable, by slow consumers, ends with the writer`() async throws {
        for _ in 0..<StressScale.rounds(100) {
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
            let size = 100_000
            Thread.detachNewThread {
                try? pipe.fileHandleForWriting.write(contentsOf: Data(count: size))
                try? pipe.fileHandleForWriting.close()
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            var total = 0
            for try await _ in DispatchSource.readable(descriptor) {
                let count = read(descriptor, &buffer, buffer.count)
                if count == 0 { break }
                total += max(count, 0)
                for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
            }
            #expect(total == size)
            withExtendedLifetime(pipe) {}
        }
    }

    @Test(arguments: [0, -1, Int.min])
    func `ticks, of a tiny interval`(_ interval: Int) async throws {
        for interval in [DispatchTimeInterval.nanoseconds(interval), .milliseconds(interval), .seconds(interval)] {
            for try await count in DispatchSource.ticks(every: interval, leeway: interval) {
                #expect(count >= 1)
                break
            }
        }
    }

    #if !canImport(Darwin)
    /// In a process of its own, whose threads it counts.
    @Test func `many that are cancelled at once take no thread each`() async {
        await #expect(processExitsWith: .success) {
            let pipe = Pipe()
            let descriptor = pipe.fileHandleForReading.fileDescriptor
            let begun = Watched(0)
            let sources = (0..<200).map { number in
                Task {
                    var iterator =
                        if number % 2 == 0 {
                            DispatchSource.ticks(every: .milliseconds(1)).makeAsyncIterator()
                        } else {
                            DispatchSource.readable(descriptor).makeAsyncIterator()
                        }
                    begun.change { $0 += 1 }
                    while try await iterator.next() != nil {}
                }
            }
            await begun.wait { $0 == 200 }
            for source in sources { source.cancel() }
            for source in sources { _ = await source.result }
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            precondition(threads < 100, "There are \(threads) threads")
            withExtendedLifetime(pipe) {}
        }
    }
    #endif

    @Test(arguments: [-1, 0, 9999, SIGKILL])
    func `no signal is an error`(_ number: Int32) async throws {
        let error = await #expect(throws: POSIXError.self) {
            for try await _ in DispatchSource.signals(number) { Issue.record("There is no such signal") }
        }
        #expect(error?.code == .EINVAL)
    }

    #if os(Linux)
    /// Dispatch opens one for a file as well, and is silent where it cannot.
    @Test func `readable, of an empty file, has a descriptor to watch before Dispatch is asked`() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = open(place.path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        let watch = cprocesses_watch_readable(file)
        try #require(watch >= 0)
        defer { close(watch) }
        var polled = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&polled, 1, 0) == 1)
    }
    #endif

    @Test func `readable, of a file`() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("text".utf8).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let file = try FileHandle(forReadingFrom: place)
        for try await _ in DispatchSource.readable(file.fileDescriptor) { break }
        withExtendedLifetime(file) {}
    }

    @Test(arguments: ["/dev/null", "/dev/zero", "/"])
    func `readable, of what never lets a reader wait`(_ path: String) async throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var moments = 0
        for try await _ in DispatchSource.readable(file) {
            moments += 1
            if moments == 3 { break }
        }
        #expect(moments == 3)
    }

    @Test func `readable, of a listening socket`() async throws {
        let listener = try Descriptor.listening()
        defer { listener.close() }
        let url = try #require(URL(string: "http://127.0.0.1:\(try listener.port())/"))
        let client = Task { try await URLSession.withoutCache().bridge.data(from: url) }
        for try await _ in DispatchSource.readable(listener.number) { break }
        let connection = try #require(listener.accept())
        Descriptor.close(connection)
        await #expect(throws: URLError.self) { try await client.value }
    }

    @Test func `no descriptor is an error`() async {
        await #expect(throws: POSIXError.self) {
            for try await _ in DispatchSource.readable(-1) { Issue.record("There is nothing to read") }
        }
    }
}
