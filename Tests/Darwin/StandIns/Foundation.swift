// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for Apple's Foundation: the declarations that the package uses, with the signatures and the `Sendable` of
// its public interface. Nothing here runs.

@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

// MARK: Values

public typealias TimeInterval = Double

public struct Data: Sendable, Hashable, RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    public struct Iterator: IteratorProtocol, Sendable {
        public mutating func next() -> UInt8? { fatalError() }
    }

    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let atomic = Self(rawValue: 1)
        public static let withoutOverwriting = Self(rawValue: 2)
    }

    public init() {}

    public init(contentsOf url: URL) throws { fatalError() }

    public var startIndex: Int { fatalError() }

    public var endIndex: Int { fatalError() }

    public func makeIterator() -> Iterator { fatalError() }

    public subscript(index: Int) -> UInt8 {
        get { fatalError() }
        set {}
    }

    public subscript(bounds: Range<Int>) -> Data {
        get { fatalError() }
        set {}
    }

    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: some Collection<UInt8>) { fatalError() }

    public mutating func append(_ other: Data) { fatalError() }

    public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
}

public struct URL: Sendable, Hashable {
    public init?(string: String) { fatalError() }

    public init(fileURLWithPath path: String) { fatalError() }

    public var path: String { fatalError() }

    public func appendingPathComponent(_ component: String) -> URL { fatalError() }
}

public struct URLRequest: Sendable, Hashable {
    public init(url: URL) { fatalError() }
}

public struct Date: Sendable, Hashable {
    public init() {}
}

public struct UUID: Sendable, Hashable {
    public init() {}

    public var uuidString: String { fatalError() }
}

public struct Notification: Sendable {
    public struct Name: Hashable, RawRepresentable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var name: Name
}

// MARK: Errors

extension Error {
    public var localizedDescription: String { fatalError() }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}

extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}

public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}

extension CustomNSError {
    public static var errorDomain: String { fatalError() }
    public var errorCode: Int { fatalError() }
    public var errorUserInfo: [String: Any] { [:] }
}

public let NSLocalizedDescriptionKey = "NSLocalizedDescription"
public let NSUnderlyingErrorKey = "NSUnderlyingError"

public struct POSIXError: Error, Hashable, Sendable {
    public typealias Code = POSIXErrorCode

    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }

    public var code: Code { fatalError() }
}

public struct CocoaError: Error, Hashable, Sendable {
    public struct Code: Hashable, Sendable {
        public static var fileReadCorruptFile: Self { fatalError() }
        public static var fileWriteUnknown: Self { fatalError() }
    }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
}

public struct URLError: Error, Hashable, Sendable {
    public struct Code: Hashable, Sendable {
        public static var cancelled: Self { fatalError() }
    }

    public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }

    public var code: Code { fatalError() }
}

// MARK: Notifications, operations, run loops

open class NotificationCenter: NSObject, @unchecked Sendable {
    open class var `default`: NotificationCenter { fatalError() }

    open func addObserver(
        forName name: Notification.Name?,
        object: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { fatalError() }

    open func removeObserver(_ observer: Any) { fatalError() }
}

open class Operation: NSObject, @unchecked Sendable {
    open var isCancelled: Bool { fatalError() }
    open var isExecuting: Bool { fatalError() }
    open var isFinished: Bool { fatalError() }
    open var dependencies: [Operation] { fatalError() }
    open var completionBlock: (@Sendable () -> Void)?

    open func cancel() { fatalError() }

    open func addDependency(_ operation: Operation) { fatalError() }
}

open class BlockOperation: Operation, @unchecked Sendable {
    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
    open class var main: OperationQueue { fatalError() }
    open class var current: OperationQueue? { fatalError() }
    open var maxConcurrentOperationCount: Int {
        get { fatalError() }
        set {}
    }
    open var underlyingQueue: DispatchQueue? {
        get { fatalError() }
        set {}
    }

    open func addOperation(_ operation: Operation) { fatalError() }

    open func addOperation(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

open class Timer: NSObject {
    public convenience init(
        fire date: Date,
        interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) { fatalError() }

    public convenience init(
        timeInterval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) { fatalError() }

    open func invalidate() { fatalError() }
}

@available(*, unavailable) extension Timer: @unchecked Sendable {}

open class RunLoop: NSObject {
    public struct Mode: Hashable, RawRepresentable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Self(rawValue: "default")
        public static let common = Self(rawValue: "common")
    }

    @available(*, noasync) open class var current: RunLoop { fatalError() }
    open class var main: RunLoop { fatalError() }

    open func add(_ timer: Timer, forMode mode: Mode) { fatalError() }

    open func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) { fatalError() }
}

@available(*, unavailable) extension RunLoop: @unchecked Sendable {}

// MARK: Processes and files

#if os(macOS)
open class Process: NSObject, @unchecked Sendable {
    public enum TerminationReason: Int, Sendable {
        case exit = 1
        case uncaughtSignal = 2
    }

    open var isRunning: Bool { fatalError() }
    open var processIdentifier: Int32 { fatalError() }
    open var terminationStatus: Int32 { fatalError() }
    open var terminationReason: TerminationReason { fatalError() }
    open var terminationHandler: (@Sendable (Process) -> Void)?

    open func run() throws { fatalError() }

    open func terminate() { fatalError() }
}
#endif

open class FileManager: NSObject, @unchecked Sendable {
    open class var `default`: FileManager { fatalError() }
    open var temporaryDirectory: URL { fatalError() }

    open func moveItem(at source: URL, to destination: URL) throws { fatalError() }

    open func removeItem(at url: URL) throws { fatalError() }
}

open class FileHandle: NSObject, @unchecked Sendable {
    public convenience init(forUpdating url: URL) throws { fatalError() }

    public convenience init(forWritingTo url: URL) throws { fatalError() }

    open func seek(toOffset offset: UInt64) throws { fatalError() }

    open func write<Bytes: RandomAccessCollection>(contentsOf bytes: Bytes) throws where Bytes.Element == UInt8 {
        fatalError()
    }

    open func read(upToCount count: Int) throws -> Data? { fatalError() }

    open func truncate(atOffset offset: UInt64) throws { fatalError() }

    open func close() throws { fatalError() }
}

// MARK: Transfers

open class URLResponse: NSObject, @unchecked Sendable {
    open var expectedContentLength: Int64 { fatalError() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {}
open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var proposedCredential: URLCredential? { fatalError() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { fatalError() }
    open var urlCache: URLCache?
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    open var response: URLResponse? { fatalError() }

    open func cancel() { fatalError() }

    open func resume() { fatalError() }

    open func suspend() { fatalError() }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
}

open class URLSession: NSObject, @unchecked Sendable {
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential
        case performDefaultHandling
        case cancelAuthenticationChallenge
        case rejectProtectionSpace
    }

    public enum ResponseDisposition: Int, Sendable {
        case cancel
        case allow
        case becomeDownload
        case becomeStream
    }

    open class var shared: URLSession { fatalError() }
    open var configuration: URLSessionConfiguration { fatalError() }

    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) { fatalError() }

    open func finishTasksAndInvalidate() { fatalError() }

    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }

    open func dataTask(with url: URL) -> URLSessionDataTask { fatalError() }

    open func uploadTask(with request: URLRequest, from bytes: Data) -> URLSessionUploadTask { fatalError() }

    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError() }

    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }

    open func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask { fatalError() }

    open func uploadTask(
        with request: URLRequest,
        fromFile url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { fatalError() }

    open func uploadTask(
        with request: URLRequest,
        from bytes: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask { fatalError() }

    open func downloadTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask { fatalError() }

    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }

    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) { fatalError() }
}
