// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

/// Not Sendable.
final class Picture {
    var width = 1
}

/// Gives its pictures away.
final class Camera: Sendable {
    @Bridged(.unchecked)
    func result(completion: @escaping (Result<Picture, ParseError>) -> Void) { completion(.success(Picture())) }

    @Bridged(.unchecked)
    func either(completion: @escaping (Picture?, Error?) -> Void) { completion(Picture(), nil) }

    @Bridged(.unchecked)
    func errorFirst(completion: @escaping (Error?, Picture?, Int) -> Void) { completion(nil, nil, 1) }

    @Bridged(.unchecked)
    func errorBetween(completion: @escaping (Picture?, Error?, Picture) -> Void) {
        completion(Picture(), nil, Picture())
    }

    @Bridged(.unchecked)
    func perhaps(completion: @escaping (Result<Picture, ParseError>?) -> Void) { completion(.success(Picture())) }

    @Bridged(.unchecked)
    func plain(completion: @escaping (Picture) -> Void) { completion(Picture()) }

    @Bridged(.unchecked)
    func two(completion: @escaping (_ first: Picture, _ second: Picture) -> Void) { completion(Picture(), Picture()) }

    @Bridged(.unchecked)
    func pair(success: @escaping (Picture) -> Void, failure: @escaping (Error) -> Void) { success(Picture()) }
}

enum Unchecked {
    static func results() async throws -> [String] {
        let camera = Camera()
        var results = [
            "\(try await camera.result().width)", "\(try await camera.either().width)",
            "\(try await camera.plain().width)", "\(try await camera.two().second.width)",
            "\(try await camera.pair().width)", "\(try await camera.errorBetween().0.width)",
            "\(try await camera.perhaps().width)",
        ]
        do { _ = try await camera.errorFirst() } catch let error as BridgeFault { results.append("\(error.code)") }
        return results
    }
}
#endif
