// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

final class ServerRequest: Sendable {
    func cancel() {}
}

final class Job: Sendable {
    func stop() {}
    func end(after count: Int) {}
}

final class Server: Sendable {
    @Bridged
    func request(completion: @escaping (Int) -> Void) -> ServerRequest {
        completion(1)
        return ServerRequest()
    }

    @Bridged
    func perhaps(completion: @escaping (Int) -> Void) -> ServerRequest? {
        completion(2)
        return nil
    }

    @discardableResult
    @Bridged(.cancel { $0.stop() })
    func work(completion: @escaping (Int) -> Void) -> Job {
        completion(3)
        return Job()
    }

    @Bridged(.cancel { $0.end(after: 1) })
    func perhapsWork(completion: @escaping (Int) -> Void) -> Job? {
        completion(4)
        return Job()
    }

    @Bridged(.cancel { (job: Job) in job.end(after: 2) })
    func typed(completion: @escaping (Int) -> Void) -> Job {
        completion(5)
        return Job()
    }

    @Bridged(.cancel(nil))
    func start(completion: @escaping (Int) -> Void) -> Bool {
        completion(6)
        return true
    }
}

extension ServerRequest {
    @Bridged
    @discardableResult
    func response(completion: @escaping (Int) -> Void) -> Self {
        completion(7)
        return self
    }
}

enum Handles {
    static func results() async throws -> [String] {
        let server = Server()
        return [
            "\(try await server.request())", "\(try await server.perhaps())", "\(try await server.work())",
            "\(try await server.perhapsWork())", "\(try await server.typed())", "\(try await server.start())",
            "\(try await ServerRequest().response())",
        ]
    }
}
#endif
