// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import COnnxRuntime
public import Foundation

/// ONNX Runtime's library, loaded while the program runs: so all of this builds, and starts, without it.
///
/// It stays loaded until the process ends.
public final class OnnxLibrary: @unchecked Sendable {
    // Safe: the table is constant, and the environment is thread-safe, as ONNX Runtime promises. Neither is released.
    let api: UnsafePointer<OrtApi>
    let environment: OpaquePointer

    /// The library's version.
    public let version: String

    /// Loads the library.
    ///
    /// - Parameters:
    ///   - path: Its file. Without it, the one that the environment variable `ONNXRUNTIME_LIBRARY` names; then the one
    ///     that the script `install-onnxruntime` has put beside the example; then the system's.
    ///   - folder: Where the search for what the script has put there begins: it and the folders around it.
    /// - Throws: ``OnnxError``.
    public init(path: String? = nil, near folder: URL? = InstalledFolder.ofProgram) throws {
        // An empty variable counts as none.
        let named = ProcessInfo.processInfo.environment["ONNXRUNTIME_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 }
        let file = path ?? named ?? Self.installed(near: folder)
        guard let handle = dlopen(file ?? "libonnxruntime.so.1", RTLD_NOW | RTLD_LOCAL) else {
            // Invariant: the loader always says why.
            let reason = dlerror().map { String(cString: $0) } ?? "no reason was given"
            guard let file else { throw OnnxError(.libraryNotFound, Self.advice) }
            throw FileManager.default.fileExists(atPath: file)
                ? OnnxError(.libraryUnusable, "ONNX Runtime cannot be loaded: \(reason).")
                : OnnxError(.libraryNotFound, "There is no file '\(file)'. \(Self.advice)")
        }
        guard let symbol = dlsym(handle, "OrtGetApiBase"),
            // Safe: the function of that name has had this type in all versions.
            let base = unsafeBitCast(symbol, to: OrtGetApiBase.self)()?.pointee
        else { throw OnnxError(.libraryUnusable, "'\(file ?? "libonnxruntime.so.1")' is no library of ONNX Runtime.") }
        self.version = String(cString: base.GetVersionString())
        guard let api = base.GetApi(UInt32(COnnxRuntime_api_version)) else {
            throw OnnxError(
                .libraryUnusable,
                "ONNX Runtime \(self.version) is too old: 1.\(COnnxRuntime_api_version) or later is needed."
            )
        }
        self.api = api
        self.environment = try OnnxStatus(api, .libraryUnusable).created {
            api.pointee.CreateEnv(Int32(COnnxRuntime_log_fatal), "whatsthat", &$0)
        }
    }

    private static let advice =
        "ONNX Runtime is not installed. Run Examples/WhatsThat/install-onnxruntime, or name its library with "
        + "ONNXRUNTIME_LIBRARY."

    /// What the script has installed.
    private static func installed(near folder: URL?) -> String? {
        guard let folder = InstalledFolder.url(of: "onnxruntime", near: folder) else { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasPrefix("libonnxruntime.so") }.max().map { folder.appending(path: $0).path }
    }
}
