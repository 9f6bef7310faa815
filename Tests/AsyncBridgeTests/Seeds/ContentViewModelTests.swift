// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@MainActor
@Suite("Seed 000: the view model", .timeLimit(.minutes(10)))
struct ContentViewModelTests {
    private let dog = Image(name: "dog")
    private let cat = Image(name: "cat")

    @Test func `shows what the picked image is`() async {
        let model = ContentViewModel()
        let view = ContentView(model)
        #expect(model.caption == "Select an image to classify")
        await view.tap { $0.pick(self.dog) }
        #expect(model.image == self.dog)
        #expect(model.captions == ["Classifying...", "a dog"])
        #expect(view.picker == nil)
    }

    @Test func `shows one image after the other`() async {
        let model = ContentViewModel()
        let view = ContentView(model)
        for image in [self.dog, self.cat, self.dog] {
            await view.tap { $0.pick(image) }
            #expect(model.image == image)
            #expect(model.caption == "a \(image.name)")
        }
    }

    /// The tutorial's last fix: the earlier image stays.
    @Test func `keeps the earlier image when picking is cancelled`() async {
        let model = ContentViewModel()
        let view = ContentView(model)
        await view.tap { $0.pick(self.dog) }
        await view.tap { $0.cancel() }
        #expect(model.image == self.dog)
        #expect(model.caption == "a dog")
        #expect(view.picker == nil)
    }

    @Test func `cancelling at first leaves everything as it was`() async {
        let model = ContentViewModel()
        let view = ContentView(model)
        await view.tap { $0.cancel() }
        #expect(model.image == nil)
        #expect(model.captions == [])
    }

    @Test(arguments: [ImageClassifierService.Habit.callsBack, .forgetsFailures])
    func `a failure is shown`(_ habit: ImageClassifierService.Habit) async {
        let model = ContentViewModel { try ImageClassifierService(habit) }
        let view = ContentView(model)
        await view.tap { $0.pick(.empty) }
        #expect(model.caption == "Image classification error")
    }

    @Test func `a missing model is shown`() async {
        let model = ContentViewModel { throw ImageClassifierService.ClassifierError.noModel }
        let view = ContentView(model)
        await view.tap { $0.pick(self.dog) }
        #expect(model.caption == "Error initializing Neural Model")
    }
}
