// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@MainActor
@Suite("Seed 000: the image picker", .timeLimit(.minutes(10)))
struct ImagePickerTests {
    private let cat = Image(name: "cat")
    private let dog = Image(name: "dog")

    // MARK: The slot

    @Test func `a picked image is returned`() async {
        let service = ImagePickerService()
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImage()
        await service.begun.reaches(1)
        picker.pick(self.cat)
        #expect(await image == self.cat)
    }

    /// The tutorial's first bug: the second picking resumed the first one's continuation.
    @Test func `picking again works`() async {
        let service = ImagePickerService()
        let picker = ImagePickerController(delegate: service)
        for (round, choice) in [self.cat, self.dog, self.cat].enumerated() {
            async let image = service.pickImage()
            await service.begun.reaches(round + 1)
            picker.pick(choice)
            #expect(await image == choice)
        }
    }

    /// The tutorial's third bug: an empty image where there is no image.
    @Test func `cancelling returns nil`() async throws {
        let service = ImagePickerService()
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImageOrThrow()
        await service.begun.reaches(1)
        picker.cancel()
        #expect(try await image == nil)
    }

    @Test func `a picker that calls twice is harmless`() async {
        let place = Place()
        let service = ImagePickerService(place: place)
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImage()
        await service.begun.reaches(1)
        picker.pick(self.cat)
        picker.pick(self.dog)
        picker.cancel()
        #expect(await image == self.cat)
        async let next = service.pickImage()
        await service.begun.reaches(2)
        picker.pick(self.dog)
        #expect(await next == self.dog)
        #expect(place.reports.isEmpty)
    }

    // MARK: A second caller while the first one waits

    /// A second caller, which waits already when this function returns.
    private func taskThatWaits(for service: ImagePickerService) async -> Task<Image?, any Error> {
        let hasBegun = Tally()
        let task = Task {
            // No suspension lies between this line and the wait, and the test runs on the same actor.
            hasBegun.add()
            return try await service.pickImageOrThrow()
        }
        await hasBegun.reaches(1)
        return task
    }

    @Test func `a second caller is refused by default`() async throws {
        let place = Place()
        let service = ImagePickerService(place: place)
        let picker = ImagePickerController(delegate: service)
        async let first = service.pickImageOrThrow()
        await service.begun.reaches(1)
        await #expect(throws: BridgeFault(.slotBusy, made: place.site)) { try await service.pickImageOrThrow() }
        picker.pick(self.cat)
        #expect(try await first == self.cat)
    }

    @Test func `a second caller may share`() async throws {
        let service = ImagePickerService(overlap: .share)
        let picker = ImagePickerController(delegate: service)
        let first = Task { try await service.pickImageOrThrow() }
        await service.begun.reaches(1)
        let second = await self.taskThatWaits(for: service)
        picker.pick(self.cat)
        #expect(try await [first.value, second.value] == [self.cat, self.cat])
        #expect(service.begun.count == 1)
    }

    @Test func `a second caller may wait for its turn`() async throws {
        let service = ImagePickerService(overlap: .queue)
        let picker = ImagePickerController(delegate: service)
        let first = Task { try await service.pickImageOrThrow() }
        await service.begun.reaches(1)
        let second = await self.taskThatWaits(for: service)
        #expect(service.begun.count == 1)
        picker.pick(self.cat)
        await service.begun.reaches(2)
        picker.pick(self.dog)
        #expect(try await [first.value, second.value] == [self.cat, self.dog])
    }

    @Test func `a second caller may replace the first`() async throws {
        let place = Place()
        let service = ImagePickerService(overlap: .replace, place: place)
        let picker = ImagePickerController(delegate: service)
        let first = Task { try await service.pickImageOrThrow() }
        await service.begun.reaches(1)
        let second = Task { try await service.pickImageOrThrow() }
        await service.begun.reaches(2)
        await #expect(throws: BridgeFault(.slotReplaced, made: place.site)) { try await first.value }
        picker.pick(self.dog)
        #expect(try await second.value == self.dog)
    }

    // MARK: Lifetime

    /// The picker holds its delegate weakly, and nobody else holds it.
    @Test func `the service lives until it has replied`() async throws {
        var service: ImagePickerService? = ImagePickerService()
        weak let weakService = service
        let (begun, picker) = try (#require(service?.begun), ImagePickerController(delegate: #require(service)))
        let task = Task { [service] in await service?.pickImage() }
        service = nil
        await begun.reaches(1)
        #expect(picker.delegate != nil)
        picker.pick(self.cat)
        #expect(await task.value == self.cat)
        #expect(weakService == nil)
        #expect(picker.delegate == nil)
    }

    @Test func `cancelling the task ends the wait`() async {
        let service = ImagePickerService()
        let task = Task { try await service.pickImageOrThrow() }
        await service.begun.reaches(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The service is free again.
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImage()
        await service.begun.reaches(2)
        picker.pick(self.dog)
        #expect(await image == self.dog)
    }
}

@MainActor
@Suite("Seed 000: the image picker, with a callback", .timeLimit(.minutes(10)))
struct CallbackImagePickerTests {
    private let cat = Image(name: "cat")
    private let dog = Image(name: "dog")

    @Test func `picking again works`() async throws {
        let service = CallbackImagePickerService()
        let picker = ImagePickerController(delegate: service)
        for (round, choice) in [self.cat, self.dog].enumerated() {
            async let image = service.pickImage()
            await service.begun.reaches(round + 1)
            picker.pick(choice)
            #expect(try await image == choice)
        }
        #expect(service.accepted == [true, true])
        #expect(service.place.reports.isEmpty)
    }

    @Test func `cancelling returns nil`() async throws {
        let service = CallbackImagePickerService()
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImage()
        await service.begun.reaches(1)
        picker.cancel()
        #expect(try await image == nil)
    }

    /// Where the tutorial's last version leaks the first caller's continuation, and the caller hangs.
    @Test func `a second caller ends the first ones wait in an error`() async throws {
        let service = CallbackImagePickerService()
        let picker = ImagePickerController(delegate: service)
        let first = Task { try await service.pickImage() }
        await service.begun.reaches(1)
        let second = Task { try await service.pickImage() }
        await service.begun.reaches(2)
        let fault = BridgeFault(.callbackDropped, made: service.place.site)
        await #expect(throws: fault) { try await first.value }
        picker.pick(self.cat)
        #expect(try await second.value == self.cat)
        #expect(service.place.reports.map(\.kind) == [.droppedCallback])
    }

    /// The tutorial's first bug, on our API: neither a crash nor a hang, and both mistakes are told.
    @Test func `a reused callback is reported`() async throws {
        let service = CallbackImagePickerService(storing: .onlyTheFirst)
        let picker = ImagePickerController(delegate: service)
        async let image = service.pickImage()
        await service.begun.reaches(1)
        picker.pick(self.cat)
        #expect(try await image == self.cat)

        // The second callback is not kept: its wait ends at once.
        let fault = BridgeFault(.callbackDropped, made: service.place.site)
        await #expect(throws: fault) { try await service.pickImage() }
        picker.pick(self.dog)
        #expect(service.accepted == [true, false])
        let reports = service.place.reports
        #expect(reports.map(\.kind) == [.droppedCallback, .duplicateAnswer])
        // The places of the first answer and of the second.
        #expect(reports.last?.involved.map(\.fileID) == Array(repeating: #fileID.here, count: 2))
    }
}

extension String {
    /// The file of the services, beside this one.
    fileprivate var here: String { self.replacing("ImagePickerTests", with: "ImagePickerServices") }
}
