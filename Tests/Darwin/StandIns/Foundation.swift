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

    public init(_ bytes: some Sequence<UInt8>) { fatalError() }

    public init(count: Int) { fatalError() }

    public func range(of other: Data) -> Range<Int>? { fatalError() }

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

    public init(fileURLWithPath path: String, isDirectory: Bool) { fatalError() }

    public init(filePath path: String) { fatalError() }

    public var path: String { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var pathExtension: String { fatalError() }
    public var absoluteString: String { fatalError() }

    public func deletingLastPathComponent() -> URL { fatalError() }

    public func appendingPathComponent(_ component: String) -> URL { fatalError() }

    public func appending(path: some StringProtocol) -> URL { fatalError() }

    public func appending(component: some StringProtocol) -> URL { fatalError() }
}

public struct URLRequest: Sendable, Hashable {
    public init(url: URL) { fatalError() }

    public var httpMethod: String?
    public var httpBody: Data?
    public var timeoutInterval: TimeInterval = 0

    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

public struct Date: Sendable, Hashable, Comparable {
    public static let distantFuture = Self()
    public static let distantPast = Self()

    public init() {}

    public init(timeIntervalSinceNow interval: TimeInterval) { fatalError() }

    public var timeIntervalSinceNow: TimeInterval { fatalError() }

    public func timeIntervalSince(_ other: Date) -> TimeInterval { fatalError() }

    public static func + (date: Date, interval: TimeInterval) -> Date { fatalError() }

    public static func < (left: Date, right: Date) -> Bool { fatalError() }
}

public struct UUID: Sendable, Hashable {
    public init() {}

    public var uuidString: String { fatalError() }
}

public struct Notification {
    public struct Name: Hashable, RawRepresentable, Sendable {
        public var rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    public var name: Name
    public var object: Any? { fatalError() }
    public var userInfo: [AnyHashable: Any]? { fatalError() }
}

@available(*, unavailable) extension Notification: @unchecked Sendable {}

public struct CharacterSet: Sendable, Hashable {
    public static var whitespaces: Self { fatalError() }
    public static var whitespacesAndNewlines: Self { fatalError() }
    public static var newlines: Self { fatalError() }

    public init(charactersIn string: String) { fatalError() }
}

extension String {
    public struct Encoding: Sendable, Hashable, RawRepresentable {
        public var rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let utf8 = Self(rawValue: 4)
    }

    public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }

    public init(contentsOfFile path: String, encoding: Encoding) throws { fatalError() }

    public init?(data: Data, encoding: Encoding) { fatalError() }

    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}

extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }

    public func components(separatedBy separator: some StringProtocol) -> [String] { fatalError() }

    public func replacingOccurrences(of target: some StringProtocol, with other: some StringProtocol) -> String {
        fatalError()
    }
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
        public static var badServerResponse: Self { fatalError() }
        public static var cancelled: Self { fatalError() }
        public static var timedOut: Self { fatalError() }
        public static var unknown: Self { fatalError() }
    }

    public static var badServerResponse: Code { fatalError() }
    public static var cancelled: Code { fatalError() }
    public static var timedOut: Code { fatalError() }
    public static var unknown: Code { fatalError() }

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

    open func post(_ notification: Notification) { fatalError() }

    open func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) { fatalError() }
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

    open var isSuspended: Bool {
        get { fatalError() }
        set {}
    }
    open var operationCount: Int { fatalError() }
    open var operations: [Operation] { fatalError() }

    open func cancelAllOperations() { fatalError() }

    open func waitUntilAllOperationsAreFinished() { fatalError() }

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

    @available(*, noasync) open func run(mode: Mode, before limit: Date) -> Bool { fatalError() }

    open func add(_ timer: Timer, forMode mode: Mode) { fatalError() }

    open func perform(_ block: @escaping @Sendable () -> Void) { fatalError() }

    open func perform(inModes modes: [Mode], block: @escaping @Sendable () -> Void) { fatalError() }
}

@available(*, unavailable) extension RunLoop: @unchecked Sendable {}

// MARK: Threads

public protocol NSLocking {
    @available(*, noasync) func lock()
    @available(*, noasync) func unlock()
}

open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync) open func lock() { fatalError() }

    @available(*, noasync) open func unlock() { fatalError() }
}

extension NSLocking {
    public func withLock<Value>(_ body: () throws -> Value) rethrows -> Value { fatalError() }
}

open class NSRecursiveLock: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync) open func lock() { fatalError() }

    @available(*, noasync) open func unlock() { fatalError() }
}

open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
    @available(*, noasync) open func lock() { fatalError() }

    @available(*, noasync) open func unlock() { fatalError() }

    @available(*, noasync) open func wait() { fatalError() }

    @available(*, noasync) open func signal() { fatalError() }

    open func broadcast() { fatalError() }
}

open class Thread: NSObject {
    @available(*, noasync) open class var current: Thread { fatalError() }
    @available(*, noasync) open class var isMainThread: Bool { fatalError() }
    open class var main: Thread { fatalError() }
    open var isMainThread: Bool { fatalError() }
    open var stackSize: Int {
        get { fatalError() }
        set {}
    }
    open var name: String? {
        get { fatalError() }
        set {}
    }

    @available(*, noasync) open class func sleep(forTimeInterval interval: TimeInterval) { fatalError() }

    open class func detachNewThread(_ block: @escaping @Sendable () -> Void) { fatalError() }

    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }

    open func start() { fatalError() }
}

@available(*, unavailable) extension Thread: @unchecked Sendable {}

open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { fatalError() }
    open var environment: [String: String] { fatalError() }
    open var arguments: [String] { fatalError() }
    open var activeProcessorCount: Int { fatalError() }
    open var processorCount: Int { fatalError() }
    open var processIdentifier: Int32 { fatalError() }
}

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
    open var executableURL: URL?
    open var arguments: [String]?
    open var environment: [String: String]?
    open var standardInput: Any?
    open var standardOutput: Any?
    open var standardError: Any?

    open func waitUntilExit() { fatalError() }

    open func run() throws { fatalError() }

    open func terminate() { fatalError() }
}
#endif

open class Pipe: NSObject, @unchecked Sendable {
    open var fileHandleForReading: FileHandle { fatalError() }
    open var fileHandleForWriting: FileHandle { fatalError() }
}

open class FileManager: NSObject {
    open class var `default`: FileManager { fatalError() }
    open var temporaryDirectory: URL { fatalError() }

    open func fileExists(atPath path: String) -> Bool { fatalError() }

    open func contents(atPath path: String) -> Data? { fatalError() }

    open func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }

    open func createDirectory(at url: URL, withIntermediateDirectories makesAll: Bool) throws { fatalError() }

    open func moveItem(at source: URL, to destination: URL) throws { fatalError() }

    open func removeItem(at url: URL) throws { fatalError() }
}

@available(*, unavailable) extension FileManager: @unchecked Sendable {}

open class FileHandle: NSObject, @unchecked Sendable {
    public convenience init(forUpdating url: URL) throws { fatalError() }

    public convenience init(forReadingFrom url: URL) throws { fatalError() }

    public convenience init(forWritingTo url: URL) throws { fatalError() }

    open var fileDescriptor: Int32 { fatalError() }

    open func readToEnd() throws -> Data? { fatalError() }

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
    open var url: URL? { fatalError() }

    public init(url: URL, mimeType: String?, expectedContentLength length: Int, textEncodingName name: String?) {
        fatalError()
    }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { fatalError() }

    open func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}

open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var proposedCredential: URLCredential? { fatalError() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    open class var `default`: URLSessionConfiguration { fatalError() }
    open class var ephemeral: URLSessionConfiguration { fatalError() }
    open var urlCache: URLCache?
    open var timeoutIntervalForRequest: TimeInterval = 0
    open var timeoutIntervalForResource: TimeInterval = 0
    open var httpMaximumConnectionsPerHost = 0
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

    public init(configuration: URLSessionConfiguration) { fatalError() }

    open func invalidateAndCancel() { fatalError() }

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

// MARK: XML

public protocol XMLParserDelegate: NSObjectProtocol {
    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    )
}

open class XMLParser: NSObject {
    open weak var delegate: (any XMLParserDelegate)?

    public init(data: Data) { fatalError() }

    open func parse() -> Bool { fatalError() }

    open func abortParsing() { fatalError() }
}

@available(*, unavailable) extension XMLParser: @unchecked Sendable {}
