// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

final class Reader: Sendable {
    func read(telling delegate: any ReaderDelegate) {
        delegate.readerDidStart(self)
        delegate.reader(self, didReach: 3)
        delegate.reader(self, mayGo: true) { _ in }
        if delegate.reader(self, shouldGoBeyond: 3) { delegate.reader(self, didFail: ParseError(column: 4), at: 4) }
    }
}

protocol ReaderDelegate: AnyObject {
    func readerDidStart(_ reader: Reader)
    func reader(_ reader: Reader, didReach position: Int)
    func reader(_ reader: Reader, mayGo far: Bool, completionHandler: @escaping @Sendable (Bool) -> Void)
    func reader(_ reader: Reader, didFail error: any Error, at position: Int)
    func reader(_ reader: Reader, shouldGoBeyond position: Int) -> Bool
    func reader(_ reader: Reader, didAnswer text: String)
}

@DelegateEvents
final class ReaderProxy: ReaderDelegate, Sendable {
    func readerDidStart(_ reader: Reader)
    func reader(_ reader: Reader, didReach position: Int)
    func reader(_ reader: Reader, mayGo far: Bool, completionHandler: @escaping @Sendable (Bool) -> Void)
    func reader(_ reader: Reader, didFail error: any Error, at position: Int)
    func reader(_ reader: Reader, shouldGoBeyond position: Int) -> Bool { true }

    @DelegateReply
    func reader(_ reader: Reader, didAnswer text: String)
}

protocol ScannerDelegate: AnyObject {
    func scanned(_ picture: Picture)
}

@DelegateEvents(.unchecked)
final class ScannerProxy: ScannerDelegate, Sendable {
    func scanned(_ picture: Picture)
}

enum Delegates {
    static func results() async throws -> [String] {
        let proxy = ReaderProxy()
        let events = proxy.events { attached in
            guard let attached else { return }
            Reader().read(telling: attached)
        }
        var results: [String] = []
        for await event in events {
            switch event {
            case .didStart: results.append("start")
            case .didReach(let position): results.append("\(position)")
            case .mayGo(_, completionHandler: let answer): answer(true)
            case .didFail(_, let position): results.append("fail \(position)")
            }
            if results.count == 3 { break }
        }
        results.append(try await proxy.didAnswer.wait({ proxy.reader(Reader(), didAnswer: "answer") }))
        for await event in ScannerProxy().events(attach: { $0?.scanned(Picture()) }) {
            if case .scanned(let picture) = event { results.append("\(picture.width)") }
            break
        }
        return results
    }
}
#endif
