// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

struct Documented {
    /// Loads a quote.
    ///
    /// More about it.
    ///
    /// - Parameters:
    ///   - id: Which one,
    ///     and more.
    ///   - completion: Called with the quote,
    ///     or with an error.
    /// - Returns: A request.
    @Bridged
    @available(macOS 15, *)
    func first(_ id: Int, completion: @escaping (Result<Int, Error>) -> Void) -> ServerRequest {
        completion(.success(id))
        return ServerRequest()
    }

    @Bridged
    /// Comes after the macro.
    /// - Parameter completion: Called at the end.
    func second(completion: @escaping () -> Void) { completion() }

    /**
     A block.

     - Parameters:
       - id: Which one.
       - completion: Called at the end.
     - Returns: A request.
     - Throws: When it does not start.
     */
    @Bridged
    @discardableResult
    func third(_ id: Int, completion: @escaping (Int) -> Void) throws -> ServerRequest {
        completion(id)
        return ServerRequest()
    }

    // Not a documentation comment.
    @Bridged
    func fourth(completion: @escaping (Int) -> Void) { completion(4) }

    /// Loads a number.
    ///
    /// - Parameter id: Which one.
    /// - Returns: The number.
    /// - Throws: Whatever goes wrong.
    @Bridged
    func fifth(_ id: Int) async throws -> Int { id }
}
#endif
