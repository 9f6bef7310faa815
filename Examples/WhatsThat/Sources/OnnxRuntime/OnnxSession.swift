// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import COnnxRuntime
import Glibc

/// A model with one input and one output, ready to run.
///
/// Isolation: a run may be started on any thread, when the one before it has ended. For several at once make several
/// sessions: ONNX Runtime may give two runs of one to the same busy thread, though another one sleeps.
public final class OnnxSession: @unchecked Sendable {
    // Safe: ONNX Runtime promises that a session may be used on any thread; the other pointers are only read.
    let library: OnnxLibrary
    let session: OpaquePointer
    let memory: OpaquePointer
    /// Those of the input and the output.
    let names: UnsafeMutablePointer<UnsafePointer<CChar>>

    /// The model's input.
    public let input: OnnxTensor

    /// The model's output.
    public let output: OnnxTensor

    /// Prepares a model.
    ///
    /// - Parameters:
    ///   - model: The bytes of an ONNX file.
    ///   - library: The library.
    /// - Throws: ``OnnxError`` of the code `modelUnreadable`.
    public init(model: [UInt8], library: OnnxLibrary) throws {
        let api = library.api
        let status = OnnxStatus(api, .modelUnreadable)
        let options = try status.created { api.pointee.CreateSessionOptions(&$0) }
        defer { api.pointee.ReleaseSessionOptions(options) }
        // The fewest with which it runs asynchronously. It counts one for callers that wait, of which there are none.
        try status.check(api.pointee.SetIntraOpNumThreads(options, 2))
        try status.check(api.pointee.SetSessionGraphOptimizationLevel(options, Int32(COnnxRuntime_optimise_all)))
        // Threads without work would look for some, and keep the processors from others.
        try status.check(api.pointee.AddSessionConfigEntry(options, "session.intra_op.allow_spinning", "0"))
        let session = try status.created { session in
            // An empty array has no address.
            model.withUnsafeBytes { bytes in
                withUnsafePointer(to: UInt8(0)) { nothing in
                    api.pointee.CreateSessionFromArray(
                        library.environment,
                        bytes.baseAddress ?? UnsafeRawPointer(nothing),
                        bytes.count,
                        options,
                        &session
                    )
                }
            }
        }
        do {
            let parts = try Self.parts(of: session, api)
            self.memory = try status.created {
                api.pointee.CreateCpuMemoryInfo(
                    Int32(COnnxRuntime_arena_allocator),
                    Int32(COnnxRuntime_memory_default),
                    &$0
                )
            }
            (self.input, self.output) = parts
        } catch {
            api.pointee.ReleaseSession(session)
            throw error
        }
        self.library = library
        self.session = session
        self.names = .allocate(capacity: 2)
        // Safe: there is memory for a name, or the program has none for anything.
        self.names.initialize(to: UnsafePointer(strdup(self.input.name)!))
        (self.names + 1).initialize(to: UnsafePointer(strdup(self.output.name)!))
    }

    deinit {
        self.library.api.pointee.ReleaseSession(self.session)
        self.library.api.pointee.ReleaseMemoryInfo(self.memory)
        free(UnsafeMutablePointer(mutating: self.names[0]))
        free(UnsafeMutablePointer(mutating: self.names[1]))
        self.names.deallocate()
    }

    private static func parts(
        of session: OpaquePointer,
        _ api: UnsafePointer<OrtApi>
    ) throws -> (input: OnnxTensor, output: OnnxTensor) {
        let status = OnnxStatus(api, .modelUnreadable)
        let allocator = try status.created { api.pointee.GetAllocatorWithDefaultOptions(&$0) }
        func name(_ get: (inout UnsafeMutablePointer<CChar>?) -> OpaquePointer?) throws -> String {
            var text: UnsafeMutablePointer<CChar>?
            try status.check(get(&text))
            guard let text else { return "" }
            defer { api.pointee.ReleaseStatusIfAny(api.pointee.AllocatorFree(allocator, text)) }
            return String(cString: text)
        }
        var (inputs, outputs) = (0, 0)
        try status.check(api.pointee.SessionGetInputCount(session, &inputs))
        try status.check(api.pointee.SessionGetOutputCount(session, &outputs))
        guard inputs == 1, outputs == 1 else {
            throw OnnxError(
                .modelUnreadable,
                "The model has \(inputs) inputs and \(outputs) outputs; a classifier has one of each."
            )
        }
        return (
            try OnnxTensor(
                api,
                name: try name { api.pointee.SessionGetInputName(session, 0, allocator, &$0) },
                info: try status.created { api.pointee.SessionGetInputTypeInfo(session, 0, &$0) }
            ),
            try OnnxTensor(
                api,
                name: try name { api.pointee.SessionGetOutputName(session, 0, allocator, &$0) },
                info: try status.created { api.pointee.SessionGetOutputTypeInfo(session, 0, &$0) }
            )
        )
    }

    /// Runs the model on an input: the completion-callback API of ONNX Runtime.
    ///
    /// - Parameters:
    ///   - values: The input's elements.
    ///   - shape: The input's shape.
    ///   - completion: Called once, on a queue of Dispatch, when ONNX Runtime has ended the run: with the output's
    ///     elements, with ``OnnxError``, or with `CancellationError` if the run was cancelled before its end.
    /// - Returns: The run, which can be cancelled.
    /// - Throws: ``OnnxError``, if it could not be started. Then the completion is not called.
    public func run(
        _ values: [Float],
        shape: [Int],
        completion: @escaping @Sendable (Result<[Float], any Error>) -> Void
    ) throws -> OnnxRun {
        let run = try OnnxRun(self, values, shape, completion)
        try run.start()
        return run
    }
}

extension OrtApi {
    /// For a failure that concerns nobody.
    func ReleaseStatusIfAny(_ status: OpaquePointer?) { if let status { self.ReleaseStatus(status) } }
}
