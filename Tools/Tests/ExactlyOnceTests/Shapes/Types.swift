// PROFILE strict
// Handlers by the shape of their type.

func byResult(_ flag: Bool, whenReady: @escaping (Result<Int, any Error>) -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    whenReady(.success(1))
}

func byError(_ flag: Bool, whenReady: @escaping (Int?, (any Error)?) -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    whenReady(1, nil)
}

func byOldError(_ flag: Bool, whenReady: @escaping (Int?, NSError?) -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    whenReady(1, nil)
}

func plain(_ flag: Bool, whenReady: @escaping (Int) -> Void) {
    guard flag else { return }
    whenReady(1)
}
