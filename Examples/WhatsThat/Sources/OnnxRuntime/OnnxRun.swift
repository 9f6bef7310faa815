// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import COnnxRuntime
import Dispatch
import Synchronization

/// One run of a model, with all the memory that ONNX Runtime uses until it has ended.
public final class OnnxRun: @unchecked Sendable {
    // Safe: what the pointers point to is written before the run starts, and then used by ONNX Runtime alone until its
    // callback. The options may be used on any thread.
    private let session: OnnxSession
    private let options: OpaquePointer
    private let elements: UnsafeMutableBufferPointer<Float>
    /// The input and, when the run has ended well, the output.
    private let values: UnsafeMutablePointer<OpaquePointer?>
    private let completion: @Sendable (Result<[Float], any Error>) -> Void
    private let isCancelled = Atomic(false)

    private var api: UnsafePointer<OrtApi> { self.session.library.api }
    private var status: OnnxStatus { OnnxStatus(self.api, .runFailed) }

    init(
        _ session: OnnxSession,
        _ input: [Float],
        _ shape: [Int],
        _ completion: @escaping @Sendable (Result<[Float], any Error>) -> Void
    ) throws {
        let api = session.library.api
        let status = OnnxStatus(api, .runFailed)
        self.options = try status.created { api.pointee.CreateRunOptions(&$0) }
        self.session = session
        self.completion = completion
        self.elements = .allocate(capacity: max(input.count, 1))
        self.elements.initialize(repeating: 0)
        self.values = .allocate(capacity: 2)
        self.values.initialize(repeating: nil, count: 2)
        // All that `deinit` releases is there from here on.
        _ = self.elements.update(from: input)
        // Safe: it was allocated for one element or more.
        let address = UnsafeMutableRawPointer(self.elements.baseAddress!)
        let byteCount = input.count * MemoryLayout<Float>.stride
        self.values[0] = try status.created {
            api.pointee.CreateTensorWithDataAsOrtValue(
                session.memory,
                address,
                byteCount,
                shape.map(Int64.init),
                shape.count,
                Int32(COnnxRuntime_element_float),
                &$0
            )
        }
    }

    deinit {
        for value in [self.values[0], self.values[1]] { if let value { self.api.pointee.ReleaseValue(value) } }
        self.api.pointee.ReleaseRunOptions(self.options)
        self.values.deallocate()
        self.elements.deallocate()
    }

    /// Stops the run, which then ends soon: after the step of the model that is under way.
    ///
    /// May be called at any moment, on any thread, any number of times.
    public func cancel() {
        self.isCancelled.store(true, ordering: .sequentiallyConsistent)
        self.api.pointee.ReleaseStatusIfAny(self.api.pointee.RunOptionsSetTerminate(self.options))
    }

    func start() throws {
        // Safe: the callback has the run, and with it the session, until it was called; it gives that up once.
        let user = Unmanaged.passRetained(self).toOpaque()
        let failure = self.api.pointee.RunAsync(
            self.session.session,
            self.options,
            self.session.names,
            self.values,
            1,
            self.session.names + 1,
            1,
            self.values + 1,
            { user, _, _, status in OnnxRun.ended(user, status) },
            user
        )
        guard let failure else { return }
        // Safe: there will be no callback.
        Unmanaged<OnnxRun>.fromOpaque(user).release()
        try self.status.check(failure)
    }

    /// ONNX Runtime has ended the run, on a thread of the session.
    private static func ended(_ user: UnsafeMutableRawPointer?, _ status: OpaquePointer?) {
        // Invariant: it is what `start` has passed.
        guard let user else { return }
        let result = Self.result(user, status)
        let address = UInt(bitPattern: user)
        // Why not here: the last reference to the session may go away with the run, and the session's end waits for
        // this thread.
        DispatchQueue.global().async {
            guard let user = UnsafeMutableRawPointer(bitPattern: address) else { return }
            // Safe: gives up what `start` has kept; the callback comes once.
            let completion = Unmanaged<OnnxRun>.fromOpaque(user).takeRetainedValue().completion
            completion(result)
        }
    }

    private static func result(
        _ user: UnsafeMutableRawPointer,
        _ status: OpaquePointer?
    ) -> Result<[Float], any Error> {
        // Safe: `start` has kept it.
        let run = Unmanaged<OnnxRun>.fromOpaque(user).takeUnretainedValue()
        do {
            try run.status.check(status)
            return .success(try run.output())
        } catch {
            return .failure(run.isCancelled.load(ordering: .sequentiallyConsistent) ? CancellationError() : error)
        }
    }

    private func output() throws -> [Float] {
        guard let value = self.values[1] else { throw OnnxError(.runFailed, "The model has given no output.") }
        let info = try self.status.created { self.api.pointee.GetTensorTypeAndShape(value, &$0) }
        defer { self.api.pointee.ReleaseTensorTypeAndShapeInfo(info) }
        var type: Int32 = 0
        try self.status.check(self.api.pointee.GetTensorElementType(info, &type))
        guard type == Int32(COnnxRuntime_element_float) else {
            throw OnnxError(.runFailed, "The model's output is of another type than float.")
        }
        var count = 0
        try self.status.check(self.api.pointee.GetTensorShapeElementCount(info, &count))
        var data: UnsafeMutableRawPointer?
        try self.status.check(self.api.pointee.GetTensorMutableData(value, &data))
        // Safe: a tensor of floats has so many of them at its address.
        return Array(
            UnsafeBufferPointer(start: data?.assumingMemoryBound(to: Float.self), count: data == nil ? 0 : count)
        )
    }
}
