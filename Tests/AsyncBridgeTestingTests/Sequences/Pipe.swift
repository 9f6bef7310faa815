// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting

/// A sequence written by hand, right but for the flaw that it is given.
struct Pipe: AsyncSequence {
    enum Flaw: Sendable {
        case none
        case ignoresCancellation
        case forgetsTheBufferAtTheEnd
        case failsWithTheBatch
        case repeatsItsError
        case lastEndWins
        case lastEndWinsWhileNobodyWaits
        case deliversAfterTheEnd
        case blocks
        case deliversTwice
        case cancelsUnderItsLock
        case endsWithAnErrorOfItsOwnWhenCancelled
        case prefersTheNewest
        case endsSilentlyWhenCancelled
        case finishesWhenForgotten
        case forgetsThatItWasLeft
        case hasOneWaiter
        case throwsCancellationAgain
        case hangsAfterCancellation
        case checksCancellationAfterTheElement
        case looksAndThenParks
        case stopsWithItsSequence
        case stopsOnlyWithItsSequence
        case failsWithoutItsBuffer
        case wakesOneAtItsEnd
        case keepsNoMoreThanSixtyFiveThousand
        case forgetsThatItHasFinished
        case forgetsThatItHasFailed
        case cancelsItsFirstWaiter
        case cancelsItsLastWaiter
        case stopsWithAnyIterator
        case stopsItsSourceFirst
        case replacesItsNewest
        case handsBackUnderItsLock
        case releasesUnderItsLock
    }

    private let whole: Whole

    init(_ source: SequenceSource, flaw: Flaw, between: @escaping @Sendable () -> Void = {}) {
        let storage = PipeStorage(
            flaw,
            takeBack: { source.takeBack($0) },
            noteDropped: { source.noteDropped() },
            between: between
        )
        self.whole = Whole(storage)
        let watch = DropWatch { storage.end(flaw == .finishesWhenForgotten ? nil : OtherError()) }
        let handle = source.start(
            onElement: {
                withExtendedLifetime(watch) {}
                storage.send($0)
            },
            onCompletion: {
                watch.disarm()
                storage.end($0)
            }
        )
        storage.set(handle)
    }

    func makeAsyncIterator() -> Iterator { Iterator(lifetime: Iterator.Lifetime(self.whole)) }

    /// The sequence and all its iterators: when the last is gone, nobody can consume any more.
    fileprivate final class Whole: Sendable {
        let storage: PipeStorage

        init(_ storage: PipeStorage) { self.storage = storage }

        deinit { self.storage.stop() }
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate final class Lifetime: Sendable {
            let storage: PipeStorage
            let hasBegun = Flag()
            private let whole: Whole?

            init(_ whole: Whole) {
                self.storage = whole.storage
                self.whole = whole.storage.flaw == .stopsWithItsSequence ? nil : whole
            }

            deinit {
                let isUnused = !self.hasBegun.value && self.storage.flaw != .stopsWithAnyIterator
                if isUnused || self.storage.flaw == .stopsOnlyWithItsSequence { return }
                self.storage.stop(isLeft: true)
            }
        }

        fileprivate let lifetime: Lifetime

        mutating func next() async throws -> Int? {
            self.lifetime.hasBegun.set()
            return try await self.lifetime.storage.next()
        }
    }
}
