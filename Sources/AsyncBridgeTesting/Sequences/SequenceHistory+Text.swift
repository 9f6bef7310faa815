// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SequenceHistory {
    /// Each event in words.
    var steps: [String] { self.events.map(\.text) }
}

extension SequenceHistory.Event {
    /// What happens.
    var text: String {
        switch self {
        case .make(let number, let course): "sequence \(number) is made\(course.text)"
        case .release(let number): "sequence \(number) is released"
        case .consumer(let number, let iterator, let event): event.text(iterator, of: number)
        case .source(let number, let event): "the source of sequence \(number) \(event.text)"
        case .fill(let number): "the source of sequence \(number) sends until it is asked to pause"
        case .together(let number, let event, let iterator, let action, .sourceFirst):
            "the source of sequence \(number) \(event.text), and before the consumer goes on "
                + action.text(iterator, of: number)
        case .together(let number, let event, let iterator, let action, .consumerFirst):
            "\(action.text(iterator, of: number)), and before the consumer goes on the source of sequence \(number) "
                + event.text
        case .together(let number, let event, let iterator, let action, .race):
            "the source of sequence \(number) \(event.text) on one thread while on another "
                + action.text(iterator, of: number)
        }
    }
}

extension SequenceHistory.ConsumerEvent {
    fileprivate func text(_ iterator: Int, of sequence: Int) -> String {
        let subject = "iterator \(iterator) of sequence \(sequence)"
        return switch self {
        case .begin: "\(subject) is made"
        case .ask(.times(1)): "\(subject) is asked once"
        case .ask(.times(let count)): "\(subject) is asked \(count) times"
        case .ask(.pastWhatWasSent): "\(subject) is asked for all that was sent, and once more"
        case .ask(.toTheEnd): "\(subject) is asked until the end, and twice more"
        case .cancel: "the task of \(subject) is cancelled"
        case .leave: "\(subject) is released"
        }
    }
}

extension SequenceHistory.SourceEvent {
    fileprivate var text: String {
        switch self {
        case .send(1): "sends 1 element"
        case .send(let count): "sends \(count) elements"
        case .finish: "finishes"
        case .fail(let number): "fails with error \(number)"
        case .drop: "drops its closures"
        }
    }
}

extension SequenceHistory.Course {
    fileprivate var text: String {
        var text = ""
        let inStart = self.inStart.map(\.text).joined(separator: ", then ")
        if !inStart.isEmpty { text += "; in start, the source \(inStart)" }
        if let refusal { text += "; start throws error \(refusal)" }
        let inCancel = self.inCancel.map(\.text).joined(separator: ", then ")
        if !inCancel.isEmpty { text += "; in cancel(), when that is called, the source \(inCancel)" }
        return text
    }
}
