// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension Tour {
    func awaitDelegate() async {
        self.narrator.chapter(
            "A delegate that answers once, and two callers",
            "The delegate holds a ReplySlot instead of a continuation. Its policy says what a second caller gets."
        )
        let strict = ImagePickerService(picker: ImagePicker(), overlap: .reject)
        let only = Task { try await strict.pickImage() }
        await until { strict.picker.isPresented }
        let error = await errorOf { try await strict.pickImage() }
        let isBusy = (error as? BridgeFault)?.code == .slotBusy
        self.narrator.check(
            ".reject: the second caller gets an error",
            so: "it is not forgotten, and does not take the first one's answer",
            isBusy,
            error
        )
        strict.picker.tap(Image(name: "cat"))
        let picked = try? await only.value
        self.narrator.check(
            ".reject: the first gets the image",
            so: "the second has not disturbed it",
            picked == Image(name: "cat"),
            picked?.name
        )

        let shared = ImagePickerService(picker: ImagePicker(), overlap: .share)
        var callers = 0
        let tasks = (1...2).map { _ in
            Task {
                callers += 1
                return try await shared.pickImage()
            }
        }
        await until { callers == 2 }
        shared.picker.tap(Image(name: "dog"))
        var names: [String] = []
        for task in tasks {
            if let image = try? await task.value { names.append(image.name) }
        }
        self.narrator.check(
            ".share: both get the image",
            so: "a second tap on a button costs nothing",
            names == ["dog", "dog"],
            names
        )
        let presentations = shared.picker.presentations
        self.narrator.check(
            ".share: the picker was presented once",
            so: "two pickers on a screen are one too many",
            presentations == 1,
            presentations
        )

        shared.picker.tap(Image(name: "stray"))
        let isQuiet = self.reports.takeAll().isEmpty
        self.narrator.check("a call for which nobody waits does no harm", so: "old APIs call when they like", isQuiet)
    }

    func iterateDelegate() async {
        self.narrator.chapter(
            "A delegate that keeps calling, and a slow consumer",
            "CallbackSequence with .watermark(low: 4, high: 16): the receiver pauses at 16 and goes on at 4."
        )
        let receiver = Receiver(count: 1000)
        let service = LocationService(receiver: receiver)
        receiver.start(delegate: service)
        var numbers: [Int] = []
        do {
            for try await location in service.locations {
                numbers.append(location.number)
                if numbers.count.isMultiple(of: 50) { try await Task.sleep(for: .milliseconds(1)) }
            }
        } catch {
            self.narrator.check("the sequence does not throw", so: "the receiver has not failed", false, error)
        }
        let most = service.mostBuffered
        self.narrator.check(
            "all arrive, in order",
            so: "waiting has lost nothing",
            numbers == Array(1...1000),
            "\(numbers.count) of 1000 locations"
        )
        self.narrator.check(
            "the buffer stayed small",
            so: "a slow consumer does not fill the memory",
            (1...16).contains(most),
            "at most \(most) at a time"
        )
        self.narrator.check(
            "the receiver was asked to pause",
            so: "what nobody reads is not produced",
            receiver.pauses > 0,
            "\(receiver.pauses) times"
        )
        self.narrator.check("it was stopped once at the end", so: "the battery lasts", receiver.stops == 1)

        let other = Receiver(count: 1000)
        let leaving = LocationService(receiver: other)
        other.start(delegate: leaving)
        var first: Location?
        do {
            for try await location in leaving.locations {
                first = location
                break
            }
        } catch {
            self.narrator.check("the sequence does not throw", so: "the receiver has not failed", false, error)
        }
        let number = first?.number ?? 0
        self.narrator.check(
            "leaving the loop stops the receiver",
            so: "'break' is all that a reader of the loop needs to know",
            other.stops == 1,
            "after number \(number)"
        )
    }

    func dropWhatIsTooMuch() async {
        self.narrator.chapter(
            "A source that cannot pause",
            "CallbackSequence with .newest(capacity: 8): nothing is dropped silently."
        )
        let dropped = Notebook<Int>()
        let (numbers, sink) = CallbackSequence<Int, Never>.makeSequence(
            buffering: .newest(capacity: 8),
            onUndelivered: { dropped.note($0) }
        )
        for number in 1...100 { sink.yield(number) }
        sink.finish()
        var received: [Int] = []
        for await number in numbers { received.append(number) }
        self.narrator.check(
            "the newest arrive",
            so: "an old position is of no use",
            received == Array(93...100),
            received
        )
        self.narrator.check(
            "the others are counted",
            so: "you can show how much was too much",
            sink.droppedCount == 92,
            sink.droppedCount
        )
        let undelivered = dropped.entries
        self.narrator.check(
            "and handed to onUndelivered",
            so: "files and connections among them can be closed",
            undelivered == Array(1...92),
            undelivered.count
        )
        let reports = self.reports.takeAll()
        self.narrator.check(
            "and reported once",
            so: "a flood does not become a flood of reports",
            reports.map(\.kind) == [.elementsDropped],
            reports.first
        )
    }
}
