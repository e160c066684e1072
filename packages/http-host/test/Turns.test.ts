/** Who comes next on the one thread. A piece of work takes longer than all that is begun within a turn, so each has one of its own. */
import { assert, describe, it } from "vitest"
import * as Turns from "../src/Turns.ts"

const long = (): void => {
  for (const end = performance.now() + 10; performance.now() < end;);
}

const organization = (orgId: string): Turns.Client => ({ orgId, address: "192.0.2.1" })

const stranger = (address: string): Turns.Client => ({ orgId: null, address })

const [a, b] = [organization("a"), organization("b")]

/** Turns, and what was done in them. */
const noting = (turns: Turns.Turns) => {
  const done: Array<string> = []
  const take = (client: Turns.Client, name: string, isBegun = false) =>
    turns.take(client, () => {
      done.push(name)
      long()
    }, isBegun)
  /** Ends with the work, which comes after all of the client's that waits. */
  const last = (client: Turns.Client, name: string) =>
    new Promise<void>((resolve) =>
      void turns.take(client, () => {
        done.push(name)
        long()
        resolve()
      })
    )
  return { done, last, take }
}

describe("Turns", () => {
  it("go to one client after the other, and are at once for who is alone (V7)", async () => {
    const { done, last, take } = noting(Turns.make())
    take(a, "a1")
    assert.deepStrictEqual(done, ["a1"])
    for (const name of ["a2", "a3", "a4"]) take(a, name)
    await last(b, "b1")
    assert.deepStrictEqual(done, ["a1", "a2", "b1"])
    await last(a, "a5")
    assert.deepStrictEqual(done, ["a1", "a2", "b1", "a3", "a4", "a5"])
  })

  it("leave what arrives meanwhile its time (V7)", async () => {
    const { done, last, take } = noting(Turns.make())
    for (const name of ["a1", "a2", "a3"]) take(a, name)
    await new Promise((resolve) => setImmediate(resolve))
    assert.isBelow(done.length, 3)
    await last(a, "a4")
    assert.deepStrictEqual(done, ["a1", "a2", "a3", "a4"])
  })

  it("are not for who has left the line", async () => {
    const { done, last, take } = noting(Turns.make())
    take(a, "a1")
    const leave = take(a, "left")
    leave()
    await last(a, "a2")
    assert.deepStrictEqual(done, ["a1", "a2"])
  })

  it("of what an organization has begun come between those of what is new (V7)", async () => {
    const { done, last, take } = noting(Turns.make())
    for (let count = 1; count <= 4; count++) take(a, `new ${count}`)
    for (let count = 1; count <= 2; count++) take(a, `begun ${count}`, true)
    await last(a, "new 5")
    assert.deepStrictEqual(done, ["new 1", "new 2", "begun 1", "new 3", "begun 2", "new 4", "new 5"])
  })

  it("of all strangers are as many as those of one organization, an address after the other (V7)", async () => {
    const { done, last, take } = noting(Turns.make())
    take(a, "a1")
    for (const address of ["x", "x", "y", "z"]) take(stranger(`${address}.example`), address)
    take(a, "a2")
    take(a, "a3")
    await last(a, "a4")
    assert.deepStrictEqual(done, ["a1", "x", "a2", "y", "a3", "z", "a4"])
    await last(stranger("x.example"), "x again")
    assert.deepStrictEqual(done.slice(-2), ["x", "x again"])
  })

  it("rest who has the longest line, when it is more than a few, and nobody else; all of it is done (V7)", async () => {
    const asked: Array<string | null> = []
    const { done, last, take } = noting(Turns.make((orgId) => {
      asked.push(orgId)
      return 200
    }))
    for (let count = 1; count <= 8; count++) take(a, `a${count}`)
    for (let count = 1; count <= 4; count++) take(b, `b${count}`)
    await last(b, "b5")
    // The first began when nobody waited, the second rested.
    assert.deepStrictEqual(done, ["a1", "a2", "b1", "b2", "b3", "b4", "b5"])
    await last(a, "a9")
    assert.deepStrictEqual(done.slice(7), ["a3", "a4", "a5", "a6", "a7", "a8", "a9"])
    assert.deepStrictEqual(new Set(asked), new Set(["a"]))
  })

  it("tell how long each piece of work kept the thread, and of whom, whether it waited or not", async () => {
    const told = new Map<string | null, Array<number>>()
    const spent = (orgId: string | null, millis: number) => void told.set(orgId, [...told.get(orgId) ?? [], millis])
    const { last, take } = noting(Turns.make(() => 0, spent))
    take(a, "a1")
    take(stranger("x.example"), "x")
    await last(a, "a2")
    const least = Object.fromEntries([...told].map(([orgId, times]) => [orgId, times.map((millis) => millis > 9)]))
    assert.deepStrictEqual(least, { a: [true, true], null: [true] })
  })

  it("are at once for others while all who wait rest (V7)", async () => {
    const { done, last, take } = noting(Turns.make(() => 200))
    for (let count = 1; count <= 8; count++) take(a, `a${count}`)
    while (done.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    take(b, "b1")
    assert.deepStrictEqual(done, ["a1", "a2", "b1"])
    await last(a, "a9")
    assert.lengthOf(done, 10)
  })
})
