// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

protocol Cancelable: Sendable {
    func cancel()
}

protocol RequestProtocol: Cancelable {}

final class ServerRequest: RequestProtocol {
    func cancel() {}
}

final class Job: Sendable {
    func stop() {}
    func end(after count: Int) {}
}

/// Belongs to an actor.
@MainActor
final class Printer {
    nonisolated init() {}

    func stop() {}
    func tryToStop() throws {}
}

struct Plotter: Sendable {
    let job: Job? = Job()

    func stop() throws {}
}

final class Server: Sendable {
    @Bridged(.cancel { printer in Task { @MainActor in printer.stop() } })
    func print(completion: @escaping (Int) -> Void) -> Printer {
        completion(8)
        return Printer()
    }

    @Bridged(.cancel { (printer: Printer) in Task { @MainActor in try? printer.tryToStop() } })
    func perhapsPrint(completion: @escaping (Int) -> Void) -> Printer? {
        completion(9)
        return Printer()
    }

    @Bridged(.cancel { (plotter: Plotter) in try? plotter.stop() })
    func plot(completion: @escaping (Int) -> Void) -> Plotter {
        completion(10)
        return Plotter()
    }

    @Bridged(.cancel { $0.job?.stop() })
    func perhapsPlot(completion: @escaping (Int) -> Void) -> Plotter? {
        completion(11)
        return Plotter()
    }

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

    @Bridged
    func anyRequest(completion: @escaping (Int) -> Void) -> any RequestProtocol {
        completion(12)
        return ServerRequest()
    }

    @Bridged
    func anything(completion: @escaping (Int) -> Void) -> any Cancelable {
        completion(13)
        return ServerRequest()
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
            "\(try await ServerRequest().response())", "\(try await server.print())",
            "\(try await server.perhapsPrint())", "\(try await server.plot())", "\(try await server.perhapsPlot())",
            "\(try await server.anyRequest())", "\(try await server.anything())",
        ]
    }
}
#endif
