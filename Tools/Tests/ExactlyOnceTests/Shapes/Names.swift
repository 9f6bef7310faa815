// Aliases, shadowing, local functions, nil, delegation, escapes.

func alias(completion: @escaping () -> Void) {
    let done = completion
    done()
    completion()  // EXPECT double-delivery error
}

func localClosure(_ flag: Bool, completion: @escaping (Int) -> Void) {
    let finish = { (value: Int) in
        log(value)
        completion(value)
    }
    if flag { finish(1) } else { finish(2) }
}

func localClosureTwice(completion: @escaping (Int) -> Void) {
    let finish = { completion(1) }
    finish()
    finish()  // EXPECT double-delivery error
}

func localFunction(_ flag: Bool, completion: @escaping (Int) -> Void) {
    func finish(_ value: Int) { completion(value) }
    guard flag else { return finish(0) }
    finish(1)
}

func localFunctionForgotten(_ flag: Bool, completion: @escaping (Int) -> Void) {
    func finish(_ value: Int) { completion(value) }
    guard flag else { return }  // EXPECT missing-delivery warning
    finish(1)
}

func localFunctionPassedOn(completion: @escaping (Int) -> Void) {
    func finish(_ value: Int) { completion(value) }
    client.get(completion: finish)
}

func localFunctionThatMayDeliver(completion: @escaping (Int) -> Void) {
    func finishIfReady() { if ready { completion(1) } }
    finishIfReady()
    work { finishIfReady() }
}

func shadowedByClosureParameter(completion: @escaping () -> Void) {
    other.run { completion in completion() }
    completion()
}

func shadowedByPattern(_ state: State, completion: () -> Void) {
    if case .waiting(let completion) = state { completion() }
    completion()
}

func shadowedByLocal(completion: () -> Void) {
    completion()
    do {
        let completion = { print("another") }
        completion()
    }
}

func unwrapped(completion: (() -> Void)?) {
    if let completion { completion() }
}

func unwrappedUnderOtherName(completion: (() -> Void)?) {
    guard let done = completion else { return }
    done()
}

func unwrappedTwice(completion: (() -> Void)?) {
    guard let completion else { return }
    completion()
    completion()  // EXPECT double-delivery error
}

func checkedForNil(completion: (() -> Void)?) {
    if completion != nil { completion!() }
}

func noHandlerNoWork(_ flag: Bool, completion: (() -> Void)?) {
    guard completion != nil else { return }
    if flag {  // EXPECT missing-delivery warning
        completion?()
    }
}

func optionalMissing(_ flag: Bool, completion: (() -> Void)?) {
    guard flag else { return }  // EXPECT missing-delivery warning
    completion?()
}

func optionalMap(completion: ((Int) -> Void)?) {
    completion.map { $0(1) }
}

func callAsFunction(completion: () -> Void) {
    completion.callAsFunction()
    completion.callAsFunction()  // EXPECT double-delivery error
}

func delegates(completion: @escaping (Int) -> Void) {
    client.get(completion: completion)
}

func delegatesTwice(completion: @escaping (Int) -> Void) {
    client.get(completion: completion)
    cache.get(completion: completion)  // EXPECT double-delivery warning
}

func delegatesAndCalls(completion: @escaping (Int) -> Void) {
    client.get(completion: completion)
    completion(1)  // EXPECT double-delivery warning
}

func delegatesInOneBranch(_ flag: Bool, completion: @escaping (Int) -> Void) {
    if flag {  // EXPECT missing-delivery warning
        client.get(completion: completion)
    }
}

func delegatesByReturn(completion: @escaping (Int) -> Void) -> Request {
    return client.get(completion: completion)
}

func delegationWithUsedValue(completion: @escaping (Int) -> Void) {
    let isHit = cache.get(completion: completion)
    if !isHit { client.get(completion: completion) }
}

func delegationWithDiscardedValue(completion: @escaping (Int) -> Void) {
    _ = client.get(completion: completion)
    completion(1)  // EXPECT double-delivery warning
}

func initializerStores(completion: @escaping (Int) -> Void) {
    let request = Request(completion: completion)
    request.start()
}

func timeoutGetsIt(completion: @escaping (Int) -> Void) {
    startTimer(completion: completion)
    client.get(completion: completion)
}

func stores(completion: @escaping () -> Void) {
    self.completion = completion
}

func storesInOneBranch(_ flag: Bool, completion: @escaping () -> Void) {
    if flag {
        handlers.append(completion)
    } else {
        completion()
    }
}

func storesAndCalls(completion: @escaping () -> Void) {
    handlers.append(completion)
    completion()
}

func storesAndCallsTwice(completion: @escaping () -> Void) {
    handlers.append(completion)
    completion()
    completion()  // EXPECT double-delivery error
}

func neverUsed(_ value: Int, completion: () -> Void) {  // EXPECT never-delivered warning
    print(value)
}

func onlyChecked(completion: (() -> Void)?) {  // EXPECT never-delivered warning
    if completion == nil { print("none") }
    print("work")
}

func emptyBody(completion: () -> Void) {}

func deliberately(_ flag: Bool, completion: () -> Void) {
    guard flag else {
        _ = completion
        return
    }
    completion()
}

func notImplemented(completion: () -> Void) {
    fatalError("not implemented")
}

func otherHandlerTakesOver(_ flag: Bool, onMiss: () -> Void, completion: () -> Void) {
    guard flag else {
        onMiss()
        return  // EXPECT missing-delivery note
    }
    completion()
}

func answersFalse(_ flag: Bool, completion: () -> Void) -> Bool {
    guard flag else { return false }  // EXPECT missing-delivery note
    completion()
    return true
}

func valueClosure(completion: () -> Int) {
    print(completion())
    print(completion())
}

typealias Handler = (Int) -> Void
typealias OptionalHandler = ((Int) -> Void)?

func byTypeAlias(_ flag: Bool, completion: @escaping Handler) {
    guard flag else { return }  // EXPECT missing-delivery warning
    completion(1)
}

func byOptionalTypeAlias(_ flag: Bool, completion: OptionalHandler) {
    guard flag else { return }  // EXPECT missing-delivery warning
    completion?(1)
}

func externalLabel(_ flag: Bool, completion done: () -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    done()
}

func longName(_ flag: Bool, loadCompletionHandler: () -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    loadCompletionHandler()
}

func otherName(_ flag: Bool, action: () -> Void) {
    guard flag else { return }
    action()
}

struct Loader {
    init(_ flag: Bool, completion: () -> Void) {
        guard flag else { return }  // EXPECT missing-delivery warning
        completion()
    }
}

func niled(_ flag: Bool, completion: (() -> Void)?) {
    var handler = completion
    if flag {
        handler?()
        handler = nil
    }
    handler?()
}

func wrapped(completion: @escaping () -> Void) {
    let outer = completion
    let completion = { outer() }
    client.get(completion: completion)
}

func argumentsFirst(completion: (Int) -> Void) {
    completion(compute { 1 })
}

func coalesced(completion: ((Int) -> Void)?) {
    client.get(completion: completion ?? { _ in })
}
