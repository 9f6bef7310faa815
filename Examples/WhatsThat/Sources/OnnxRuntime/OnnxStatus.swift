// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import COnnxRuntime

/// Turns the statuses of ONNX Runtime's functions into errors.
struct OnnxStatus {
    private let api: UnsafePointer<OrtApi>
    private let code: OnnxError.Code

    init(_ api: UnsafePointer<OrtApi>, _ code: OnnxError.Code) {
        self.api = api
        self.code = code
    }

    /// Throws if there is a status, and releases it.
    func check(_ status: OpaquePointer?) throws {
        guard let status else { return }
        defer { self.api.pointee.ReleaseStatus(status) }
        throw OnnxError(self.code, String(cString: self.api.pointee.GetErrorMessage(status)))
    }

    /// What a function creates.
    func created(_ create: (inout OpaquePointer?) -> OpaquePointer?) throws -> OpaquePointer {
        var object: OpaquePointer?
        try self.check(create(&object))
        guard let object else { throw OnnxError(self.code, "ONNX Runtime has created nothing.") }
        return object
    }
}
