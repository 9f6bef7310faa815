// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import COnnxRuntime

/// An input or output of a model.
public struct OnnxTensor: Hashable, Sendable {
    /// Its name in the model.
    public let name: String

    /// Whether its elements are 32-bit floating-point numbers; false too for what is no tensor.
    public let isFloat: Bool

    /// Its shape; nil is a dimension that the model leaves open.
    public let shape: [Int?]
}

extension OnnxTensor {
    /// Reads what a model says about it; releases the info.
    init(_ api: UnsafePointer<OrtApi>, name: String, info: OpaquePointer) throws {
        defer { api.pointee.ReleaseTypeInfo(info) }
        let status = OnnxStatus(api, .modelUnreadable)
        self.name = name
        var tensor: OpaquePointer?
        try status.check(api.pointee.CastTypeInfoToTensorInfo(info, &tensor))
        guard let tensor else {
            self.isFloat = false
            self.shape = []
            return
        }
        var type: Int32 = 0
        try status.check(api.pointee.GetTensorElementType(tensor, &type))
        self.isFloat = type == Int32(COnnxRuntime_element_float)
        var rank = 0
        try status.check(api.pointee.GetDimensionsCount(tensor, &rank))
        var dimensions = [Int64](repeating: 0, count: rank)
        try status.check(api.pointee.GetDimensions(tensor, &dimensions, rank))
        self.shape = dimensions.map { $0 < 0 ? nil : Int($0) }
    }
}
