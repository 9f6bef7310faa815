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
    func certain(completion: @escaping (Result<Picture, Never>) -> Void) { completion(.success(Picture())) }

    @Bridged(.unchecked, ifInterrupted: Picture())
    func surely(completion: @escaping (Result<Picture, Never>) -> Void) { completion(.success(Picture())) }

    @Bridged(.unchecked)
    func plain(completion: @escaping (Picture) -> Void) { completion(Picture()) }

    @Bridged(.unchecked)
    func two(completion: @escaping (_ first: Picture, _ second: Picture) -> Void) { completion(Picture(), Picture()) }

    @Bridged(.unchecked)
    func pair(success: @escaping (Picture) -> Void, failure: @escaping (Error) -> Void) { success(Picture()) }

    /// Its generic parameter is in the result alone.
    @Bridged(.unchecked)
    func made<Value: ExpressibleByIntegerLiteral & Sendable>(from picture: Picture) async -> Value { 7 }
}

/// Gives its pictures away as well, from its own place.
actor DarkRoom {
    private var pictures: [Picture] = [Picture()]

    @Bridged(.unchecked)
    func develop(_ picture: Picture, completion: @escaping (Picture) -> Void) {
        self.pictures.append(picture)
        completion(picture)
    }

    /// Without `.unchecked`: `sending` is the promise that the compiler checks.
    @Bridged
    func printed(completion: @escaping (sending Picture) -> Void) { completion(Picture()) }

    @Bridged
    func framed(completion: @escaping (sending Picture, Int) -> Void) { completion(Picture(), 5) }

    @Bridged
    func enlarged(completion: @escaping (sending Result<Picture, ParseError>) -> Void) {
        completion(.success(Picture()))
    }

    @Bridged
    func shown(success: @escaping (sending Picture) -> Void, failure: @escaping (Error) -> Void) { success(Picture()) }

    @Bridged(.unchecked)
    func last(or picture: Picture) async throws -> Picture { self.pictures.last ?? picture }

    @Bridged(.unchecked)
    func count(_ condition: @escaping (Picture) -> Bool) async -> Int { self.pictures.count(where: condition) }

    /// Its generic parameter is in the result alone.
    @Bridged(.unchecked)
    func made<Value: ExpressibleByIntegerLiteral & Sendable>(from picture: Picture) async -> Value { 8 }
}

/// On an actor whose task the values leave: some are `Sendable`, which no name tells.
@MainActor
final class Wall {
    @Bridged(.unchecked)
    func quote() async -> Quote { Quote(text: "wall") }

    @Bridged(.unchecked)
    func picture() async -> Picture { Picture() }

    /// Its generic parameter is in the result alone.
    @Bridged(.unchecked)
    func made<Value: ExpressibleByIntegerLiteral & Sendable>(from picture: Picture) async -> Value { 9 }
}

enum Unchecked {
    private static func onActors() async throws -> String {
        let studio = DarkRoom()
        let developed = try await studio.develop(Picture()).width
        let last = try await withCallback(of: Int.self) { callback in
            studio.last(or: Picture()) { result in callback.resume(with: result.map(\.width)) }
        }
        let count = try await withCallback(of: Int.self) { callback in
            studio.count({ $0.width == 1 }, completion: callback.handler())
        }
        let sent = [
            try await studio.printed(), try await studio.framed().0, try await studio.enlarged(),
            try await studio.shown(),
        ]
        return "\(developed) \(last) \(count) \(sent.map(\.width))"
    }

    @MainActor
    private static func generic() async throws -> String {
        let made = try await withCallback(of: Int.self) { callback in
            Camera().made(from: Picture(), completion: callback.handler())
        }
        let onActor = try await withCallback(of: Int.self) { callback in
            DarkRoom().made(from: Picture(), completion: callback.handler())
        }
        let wall = Wall()
        let onMainActor = try await withCallback(of: Int.self) { callback in
            wall.made(from: Picture(), completion: callback.handler())
        }
        return "\(made) \(onActor) \(onMainActor)"
    }

    static func results() async throws -> [String] {
        let camera = Camera()
        var results = [
            "\(try await camera.result().width)", "\(try await camera.either().width)",
            "\(try await camera.plain().width)", "\(try await camera.two().second.width)",
            "\(try await camera.pair().width)", "\(try await camera.errorBetween().0.width)",
            "\(try await camera.perhaps().width)", try await Self.onActors(),
            "\(try await camera.certain().width)", "\(await camera.surely().width)", try await Self.generic(),
        ]
        do { _ = try await camera.errorFirst() } catch let error as BridgeFault { results.append("\(error.code)") }
        return results
    }
}
#endif
