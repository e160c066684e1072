/** Turns at the places of an endpoint, and how many deliveries a place is given. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Places from "../src/Places.ts"
import * as Turns from "../src/Turns.ts"

const patience = Duration.millis(250)

describe("Places", () => {
  it.effect("one at a time has a place, in the order of their coming; another place is free", () =>
    Effect.gen(function*() {
      const places = yield* Places.make(patience)
      const log: Array<string> = []
      const gates = yield* Effect.forEach([0, 1, 2], () => Deferred.make<void>())
      const turn = (name: string, place: string, gate: Deferred.Deferred<void>) =>
        Effect.forkChild(
          places.at(
            place,
            Effect.andThen(Effect.sync(() => log.push(name)), Deferred.await(gate)),
            Effect.sync(() => void log.push(`${name} turned away`))
          ),
          { startImmediately: true }
        )
      const [first, second, other] = gates
      if (first === undefined || second === undefined || other === undefined) return assert.fail("three gates")
      const fibers = [
        yield* turn("first", "a", first),
        yield* turn("second", "a", second),
        yield* turn("other", "b", other)
      ]
      assert.deepStrictEqual(log, ["first", "other"])
      yield* Deferred.succeed(first, undefined)
      yield* Deferred.succeed(second, undefined)
      yield* Deferred.succeed(other, undefined)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(log, ["first", "other", "second"])
    }))

  it.effect("who waits twice the patience is turned away, and the place goes on when it is free (W5)", () =>
    Effect.gen(function*() {
      const places = yield* Places.make(patience)
      const gate = yield* Deferred.make<void>()
      const at = (effect: Effect.Effect<string>) =>
        Effect.forkChild(places.at("a", effect, Effect.succeed("turned away")), { startImmediately: true })
      const hanging = yield* at(Effect.as(Deferred.await(gate), "answered"))
      const waiting = yield* at(Effect.succeed("sent"))
      yield* TestClock.adjust(Duration.times(patience, 3))
      assert.strictEqual(yield* Fiber.join(waiting), "turned away")
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(hanging), "answered")
      assert.strictEqual(yield* Effect.flatMap(at(Effect.succeed("sent")), Fiber.join), "sent")
    }))

  it.effect("when nothing is to begin any more, everybody who waits or comes is turned away", () =>
    Effect.gen(function*() {
      const places = yield* Places.make(patience)
      const gate = yield* Deferred.make<void>()
      const at = (place: string, effect: Effect.Effect<string>) =>
        Effect.forkChild(places.at(place, effect, Effect.succeed("turned away")), { startImmediately: true })
      const begun = yield* at("a", Effect.as(Deferred.await(gate), "answered"))
      const waiting = yield* at("a", Effect.succeed("sent"))
      yield* places.close
      assert.strictEqual(yield* Fiber.join(waiting), "turned away")
      assert.strictEqual(yield* Effect.flatMap(at("b", Effect.succeed("sent")), Fiber.join), "turned away")
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(begun), "answered")
    }))
})

describe("Turns", () => {
  it("as many deliveries as are answered in three tenths of a second, at least one and at most twenty", () => {
    assert.deepStrictEqual([0, 5, 30, 100, 200, 500].map(Turns.within), [20, 20, 10, 3, 1, 1])
  })

  it("an endpoint that became slow has one at a time again, and one that failed is not known", () => {
    const turns = Turns.make()
    const note = (arrived: boolean, millis: number) => turns.note("endpoint", arrived, millis)
    note(true, 5)
    assert.deepStrictEqual([...turns.all()], [["endpoint", 20]])
    note(false, 5)
    assert.deepStrictEqual([...turns.all()], [])
    note(true, 5)
    for (let answer = 0; answer < 5; answer++) note(true, 500)
    assert.deepStrictEqual([...turns.all()], [["endpoint", 1]])
  })

  it("remembers so many endpoints, those that answered last", () => {
    const turns = Turns.make()
    for (let endpoint = 0; endpoint < 300; endpoint++) turns.note(String(endpoint), true, 5)
    assert.deepStrictEqual([turns.all().size, turns.all().has("43"), turns.all().has("44")], [256, false, true])
  })
})
