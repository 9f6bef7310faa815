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

protocol ShopDelegate: AnyObject {
    func shopDidOpen(_ shop: Building)
    func didSell(_ thing: sending Picture, to buyer: Int)
    func shop(_ shop: Building, didLend thing: borrowing Quote, `for` days: Int)
    func shop(_ shop: Building, didGive thing: consuming Quote)
}

/// Not Sendable, and may be on any actor.
final class Building {
    weak var delegate: (any ShopDelegate)?

    func open() {
        self.delegate?.shopDidOpen(self)
        self.delegate?.didSell(Picture(), to: 7)
        self.delegate?.shop(self, didLend: Quote(text: "lent"), for: 8)
        self.delegate?.shop(self, didGive: Quote(text: "given"))
    }
}

@DelegateEvents(.unchecked)
final class ShopEvents: ShopDelegate, Sendable {
    func shopDidOpen(_ shop: Building)
    func didSell(_ thing: sending Picture, to buyer: Int)
    func shop(_ shop: Building, didLend thing: borrowing Quote, `for` days: Int)
    func shop(_ shop: Building, didGive thing: consuming Quote)

    static func text(_ event: Event) -> String {
        switch event {
        case .didOpen: "open"
        case .didSell(let picture, to: let buyer): "\(picture.width) \(buyer)"
        case .didLend(let quote, for: let days): "\(quote.text) \(days)"
        case .didGive(let quote): quote.text
        }
    }
}

protocol KeeperDelegate: AnyObject {
    func keeperDidLock(_ keeper: Doorkeeper)
}

/// On the main actor, as what shows something is.
@MainActor
final class Doorkeeper {
    weak var delegate: (any KeeperDelegate)? {
        didSet { self.delegate?.keeperDidLock(self) }
    }
}

@DelegateEvents
final class KeeperEvents: KeeperDelegate, Sendable {
    func keeperDidLock(_ keeper: Doorkeeper)
}

@MainActor
final class House {
    private let keeper = Doorkeeper()

    /// The closure is on the main actor, as what is around it.
    func locks() async -> String {
        for await event in KeeperEvents().events(attach: { self.keeper.delegate = $0 }) { return "\(event)" }
        return "none"
    }
}

enum Delegates {
    private static func shop() async -> [String] {
        let shop = Building()
        var texts: [String] = []
        let events = ShopEvents().events {
            shop.delegate = $0
            shop.open()
        }
        for await event in events {
            texts.append(ShopEvents.text(event))
            if texts.count == 4 { break }
        }
        return texts
    }

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
        results.append("\(await Self.shop())")
        results.append(await House().locks())
        return results
    }
}
#endif
