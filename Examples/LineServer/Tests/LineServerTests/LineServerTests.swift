// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import LineServer
import NIOCore
import Testing

/// Every form must do the same.
@Suite("The server for lines", .serialized, .timeLimit(.minutes(10)))
struct LineServerTests {
    @Test(arguments: LineServer.Form.allCases)
    func `lines come back, in order, and commands are obeyed between them`(form: LineServer.Form) async throws {
        try await withServer(form) { address in
            let client = try await Client(to: address)
            try await client.say("one", "", "zwölf Boxkämpfer 🥊", "/count 3", "two", "/count 0", "/quit", "three")
            #expect(try await client.hearAll() == ["one", "", "zwölf Boxkämpfer 🥊", "1", "2", "3", "two"])
        }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `what is wrong is said`(form: LineServer.Form) async throws {
        try await withServer(form) { address in
            let client = try await Client(to: address)
            try await client.say("/join", "/count", "/count -1", "/count ten", "/nope", "/quit now", "/")
            #expect(
                try await client.hear(7) == [
                    "? who is it? /join NAME",
                    "? how far? /count N",
                    "? how far? /count N",
                    "? how far? /count N",
                    "? there is no /nope; there are /join NAME, /count N and /quit",
                    "? there is no /quit; there are /join NAME, /count N and /quit",
                    "? there is no /; there are /join NAME, /count N and /quit",
                ]
            )
            try await client.say("/join " + String(repeating: "x", count: 33))
            #expect(try await client.hear(1) == ["? a name has at most 32 characters"])
        }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `a client that has said all it wants to say gets its answers`(form: LineServer.Form) async throws {
        try await withServer(form) { address in
            let client = try await Client(to: address)
            try await client.say("/count 20000", "last")
            client.endSpeech()
            #expect(try await client.hearAll() == (1...20_000).map(String.init) + ["last"])
        }
    }

    @Test(arguments: LineServer.Form.allCases, [65_537, 1_000_000])
    func `a line that is too long ends the connection`(form: LineServer.Form, length: Int) async throws {
        try await withServer(form) { address in
            let client = try await Client(to: address)
            try await client.say(String(repeating: "x", count: 65_536))
            #expect(try await client.hear(1).map(\.utf8.count) == [65_536])
            try await client.say(String(repeating: "x", count: length))
            // A reset, if the server closes the connection with unread data.
            #expect((try? await client.hearAll()) ?? [] == [])
            let other = try await Client(to: address)
            try await other.say("still there?")
            #expect(try await other.hear(1) == ["still there?"])
        }
    }

    @Test(arguments: LineServer.Form.allCases, [1, 2])
    func `in the room everybody hears everybody, in the same order`(form: LineServer.Form, threads: Int) async throws {
        try await withServer(form, threads: threads) { address in
            var clients: [Client] = []
            for number in 0..<3 {
                let client = try await Client(to: address)
                try await client.say("/join \(number)")
                clients.append(client)
                for listener in clients { #expect(try await listener.hear(1) == ["* \(number) is here"]) }
            }
            // No more than a listener may have to wait for.
            let said = try await withThrowingTaskGroup(of: [String].self) { [clients] group in
                for client in clients {
                    group.addTask {
                        for line in 0..<5 { try await client.say("\(line)") }
                        return try await client.hear(15)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(said).count == 1)
            for number in 0..<3 {
                #expect(said[0].filter { $0.hasPrefix("\(number):") } == (0..<5).map { "\(number): \($0)" })
            }
            try await clients[0].say("/join again")
            #expect(try await clients[0].hear(1) == ["? you are here already"])
            try await clients[0].say("bye", "/quit")
            #expect(try await clients[0].hearAll() == ["0: bye"])
            try await clients[1].vanish()
            let rest = try await clients[2].hear(3)
            #expect(rest == ["0: bye", "* 0 has left", "* 1 has left"])
        }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `a slow listener stops nobody, misses lines, and is told how many`(form: LineServer.Form) async throws {
        try await withServer(form, threads: 2) { address in
            let slow = try await Client(to: address)
            try await slow.say("/join slow")
            #expect(try await slow.hear(1) == ["* slow is here"])
            try await slow.read(false)
            let speaker = try await Client(to: address)
            try await speaker.say("/join speaker")
            #expect(try await speaker.hear(1) == ["* speaker is here"])
            // Megabytes, more than the systems take for somebody who does not read.
            let line = String(repeating: "x", count: 60_000)
            let count = 250
            for _ in 0..<count {
                try await speaker.say(line)
                #expect(try await speaker.hear(1) == ["speaker: " + line])
            }
            try await slow.read(true)
            let listening = Task {
                #expect(try await slow.hear(1) == ["* speaker is here"])
                var (heard, missed) = (0, 0)
                while true {
                    let next = try await slow.hear(1)[0]
                    let words = next.split(separator: " ")
                    if next.hasPrefix("* you have missed ") {
                        missed += Int(words[4]) ?? 0
                    } else if next == "speaker: " + line {
                        heard += 1
                    } else {
                        return (heard: heard, missed: missed, end: words.last.flatMap { Int($0) } ?? 0)
                    }
                }
            }
            let isOver = CoPromise<Void>()
            Task {
                _ = await listening.result
                isOver.success(())
            }
            // Until one is heard: what was missed is told before it.
            var number = 0
            while isOver.result == nil {
                try await speaker.say("end \(number)")
                #expect(try await speaker.hear(1) == ["speaker: end \(number)"])
                number += 1
            }
            let (heard, missed, end) = try await listening.value
            #expect(heard > 0)
            #expect(missed > 0)
            #expect(heard + missed == count + end)
        }
    }

    @Test(
        arguments: LineServer.Form.allCases
    )
    func `a client that asks and does not read is not read from, and gets all answers later`(form: LineServer.Form)
        async throws
    {
        try await withServer(form) { address in
            let client = try await Client(to: address, reads: false)
            let line = String(repeating: "x", count: 10_000)
            let sent = try await client.sayUntilFull(line)
            client.endSpeech()
            try await client.read(true)
            #expect(try await client.hearAll() == Array(repeating: line, count: sent))
        }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `clients that vanish while they are served leave the server as it was`(form: LineServer.Form) async throws {
        try await withServer(form) { address in
            for number in 0..<20 {
                let client = try await Client(to: address)
                try await client.say("/join \(number)", "hello", "/count 1000000000")
                _ = try await client.hear(number)
                try await client.vanish()
            }
            let stuck = try await Client(to: address, reads: false)
            _ = try await stuck.sayUntilFull(String(repeating: "x", count: 60_000))
            try await stuck.vanish()
            let client = try await Client(to: address)
            try await client.say("/join last")
            // The others leave before or after.
            while try await client.hear(1) != ["* last is here"] {}
        }
    }

    @Test(arguments: LineServer.Form.allCases, [1, 2])
    func `more connections than may be wait until others have ended`(form: LineServer.Form, threads: Int) async throws {
        try await withServer(form, threads: threads, connections: 2) { address in
            let (first, second) = (try await Client(to: address), try await Client(to: address))
            for client in [first, second] {
                try await client.say("served")
                #expect(try await client.hear(1) == ["served"])
            }
            // The system answers for them, and takes what they say.
            var waiting: [(client: Client, answer: Task<[String], any Error>)] = []
            let answers = CoPromise<Void>()
            for number in 0..<3 {
                let client = try await Client(to: address)
                try await client.say("\(number)")
                let answer = Task {
                    let heard = try await client.hear(1)
                    answers.success(())
                    return heard
                }
                waiting.append((client, answer))
            }
            for _ in 0..<100 {
                try await first.say("still served")
                #expect(try await first.hear(1) == ["still served"])
            }
            #expect(answers.result == nil)
            // In the order in which they came: after a good end, after a reset, and after one of those that waited.
            try await first.say("/quit")
            #expect(try await first.hearAll() == [])
            // A coroutine's channel waits for the client's own end.
            first.endSpeech()
            #expect(try await waiting[0].answer.value == ["0"])
            try await second.vanish()
            #expect(try await waiting[1].answer.value == ["1"])
            waiting[1].client.endSpeech()
            #expect(try await waiting[2].answer.value == ["2"])
        }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `a server that is cancelled while clients wait for a place ends`(form: LineServer.Form) async throws {
        var clients: [Client] = []
        try await withServer(form, connections: 1) { address in
            for _ in 0..<3 { clients.append(try await Client(to: address)) }
            try await clients[0].say("served")
            #expect(try await clients[0].hear(1) == ["served"])
        }
        for client in clients { _ = try? await client.hearAll() }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `a server that is cancelled closes its connections`(form: LineServer.Form) async throws {
        var clients: [Client] = []
        try await withServer(form) { address in
            for number in 0..<3 { clients.append(try await Client(to: address, reads: number != 2)) }
            try await clients[0].say("one")
            #expect(try await clients[0].hear(1) == ["one"])
            try await clients[1].say("/count 1000000000")
            #expect(try await clients[1].hear(1) == ["1"])
            _ = try await clients[2].sayUntilFull(String(repeating: "x", count: 60_000))
        }
        // What was on its way, and then the end, or a reset. The second has too much on its way.
        try? await clients[2].read(true)
        for client in [clients[0], clients[2]] { _ = try? await client.hearAll() }
    }

    /// Everything that a client can keep a server busy with: numbers that are read as fast as they come, or not at all,
    /// and a room in which everybody talks and some do not listen.
    @Test(arguments: LineServer.Form.allCases)
    func `a server that is cancelled while it is flooded ends, and leaks no promise`(form: LineServer.Form) async throws
    {
        var floods: [Task<Void, Never>] = []
        let hasBegun = CoPromise<Void>()
        try await withServer(form, threads: 2) { address in
            var members: [Client] = []
            for number in 0..<8 {
                let client = try await Client(to: address)
                try await client.say("/join \(number)")
                _ = try await client.hear(1)
                if number % 4 == 0 { try await client.read(false) }
                members.append(client)
            }
            for number in 0..<8 {
                let client = try await Client(to: address, reads: number % 4 != 0)
                floods.append(
                    Task {
                        try? await client.say("/count 1000000000")
                        _ = try? await client.hearAll()
                    }
                )
            }
            // So long that a server has not thousands of them in hand after one read.
            let line = String(repeating: "x", count: 4000)
            for client in members {
                floods.append(
                    Task {
                        async let heard = try? client.hearAll()
                        var count = 0
                        while (try? await client.say(line)) != nil {
                            count += 1
                            if count == 20 { hasBegun.success(()) }
                        }
                        _ = await heard
                    }
                )
            }
            try await hasBegun.value
        }
        // Clients that do not read would not see the end.
        for flood in floods { flood.cancel() }
        for flood in floods { await flood.value }
    }

    @Test(arguments: LineServer.Form.allCases)
    func `a port that is taken is an error`(form: LineServer.Form) async throws {
        try await withServer(.handler) { address in
            await #expect(throws: (any Error).self) { try await LineServer(form: form, port: address.port ?? 1).run() }
        }
    }
}
