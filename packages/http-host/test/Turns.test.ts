/** Who comes next on the one thread. Each piece of work takes longer than is begun within a turn, so each has one of its own. */
import { assert, describe, it } from "vitest"
import * as Turns from "../src/Turns.ts"

const long = (): void => {
  for (const end = performance.now() + 10; performance.now() < end;);
}

describe("Turns", () => {
  it("go to one client after the other, and are at once for who is alone", async () => {
    const { take } = Turns.make()
    const done: Array<string> = []
    const work = (name: string) => () => {
      done.push(name)
      long()
    }
    take("a", work("a1"))
    assert.deepStrictEqual(done, ["a1"])
    for (const name of ["a2", "a3", "a4"]) take("a", work(name))
    await new Promise<void>((resolve) => {
      take("b", () => {
        work("b1")()
        resolve()
      })
    })
    assert.deepStrictEqual(done, ["a1", "a2", "b1"])
    await new Promise<void>((resolve) => void take("a", resolve))
    assert.deepStrictEqual(done, ["a1", "a2", "b1", "a3", "a4"])
  })

  it("leave what arrives meanwhile its time", async () => {
    const { take } = Turns.make()
    let done = 0
    for (let count = 0; count < 3; count++) {
      take("a", () => {
        done++
        long()
      })
    }
    await new Promise((resolve) => setImmediate(resolve))
    assert.isBelow(done, 3)
    await new Promise<void>((resolve) => void take("a", resolve))
    assert.strictEqual(done, 3)
  })

  it("are not for who has left the line", async () => {
    const { take } = Turns.make()
    const done: Array<string> = []
    take("a", long)
    const leave = take("a", () => done.push("left"))
    leave()
    await new Promise<void>((resolve) => void take("a", resolve))
    assert.deepStrictEqual(done, [])
  })
})
