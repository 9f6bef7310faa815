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
    var isCrowded = false

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
    private(set) var isPaused = false

    func pause() { self.isPaused = true }
    func resume() { self.isPaused = false }
}

@DelegateEvents
final class KeeperEvents: KeeperDelegate, Sendable {
    func keeperDidLock(_ keeper: Doorkeeper)
}

@MainActor
final class House {
    private let keeper = Doorkeeper()

    /// The closures are on the main actor, as what is around them.
    func locks() async -> String {
        let events = KeeperEvents().events(
            buffering: .watermark(low: 0, high: 1),
            pause: { self.keeper.pause() },
            resume: { self.keeper.resume() },
            attach: { self.keeper.delegate = $0 }
        )
        for await event in events { return "\(event)" }
        return "none"
    }
}

protocol LampDelegate: AnyObject, Sendable {
    func lamp(_ lamp: Lamp, didShine strength: Int)
}

/// An actor, so nothing of it is set from outside without waiting.
actor Lamp {
    private weak var delegate: (any LampDelegate)?
    private(set) var isPaused = false

    func attach(_ delegate: (any LampDelegate)?) {
        self.delegate = delegate
        self.delegate?.lamp(self, didShine: 9)
    }

    func pause() { self.isPaused = true }
    func resume() { self.isPaused = false }

    /// The closures are on the actor, as what is around them.
    func ownLight() async -> String {
        let events = LampEvents().events(
            buffering: .watermark(low: 0, high: 1),
            pause: { self.pause() },
            resume: { self.resume() },
            attach: { self.attach($0) }
        )
        for await event in events { return "\(event)" }
        return "none"
    }
}

@DelegateEvents
final class LampEvents: LampDelegate, Sendable {
    func lamp(_ lamp: Lamp, didShine strength: Int)
}

enum Delegates {
    /// The closures wait for a sender on its own actor.
    private static func light(of lamp: Lamp) async -> String {
        let events = LampEvents().events(
            buffering: .watermark(low: 0, high: 1),
            pause: { await lamp.pause() },
            resume: { await lamp.resume() },
            attach: { await lamp.attach($0) }
        )
        for await event in events { return "\(event)" }
        return "none"
    }

    /// The same for a sender that need not be `Sendable` where it is used.
    private static func scan(with lamp: Lamp) async -> Int {
        let events = ScannerProxy().events(
            pause: { await lamp.pause() },
            attach: { delegate in
                await lamp.resume()
                delegate?.scanned(Picture())
            }
        )
        for await event in events {
            if case .scanned(let picture) = event { return picture.width }
        }
        return 0
    }

    private static func shop() async -> [String] {
        let shop = Building()
        var texts: [String] = []
        let events = ShopEvents().events(
            buffering: .watermark(low: 1, high: 3),
            pause: { shop.isCrowded = true },
            resume: { shop.isCrowded = false },
            attach: {
                shop.delegate = $0
                shop.open()
            }
        )
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
        results.append(await Lamp().ownLight())
        results.append(await Self.light(of: Lamp()))
        results.append("\(await Self.scan(with: Lamp()))")
        return results
    }
}
#endif
