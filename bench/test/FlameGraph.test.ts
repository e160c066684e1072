/** A profile of V8, made up, as frames and as a picture. */
import type { Profiler } from "node:inspector"
import { assert, describe, it } from "vitest"
import { draw } from "../flame/FlameGraph.ts"
import { framesOf, ownBy } from "../flame/Frames.ts"

const node = (
  id: number,
  functionName: string,
  url: string,
  hitCount: number,
  children: Array<number> = []
): Profiler.ProfileNode => ({
  id,
  callFrame: { functionName, scriptId: String(id), url, lineNumber: 4, columnNumber: 2 },
  hitCount,
  children
})

const lane = "file:///somewhere/packages/http-host/src/Lane.ts"
const effect = "file:///somewhere/node_modules/.pnpm/effect@0.0.0/node_modules/effect/dist/internal/effect.js"
const driver = "file:///somewhere/node_modules/pg/lib/client.js"

/** Two ways into the same function, one of which hardly ever runs; 1,000 samples without those in which nothing ran. */
const profile: Profiler.Profile = {
  startTime: 0,
  endTime: 1,
  nodes: [
    node(1, "(root)", "", 0, [2, 3, 4, 9]),
    node(2, "(idle)", "", 5000),
    node(3, "take", lane, 100, [5, 6, 7]),
    node(4, "emit", "node:events", 9, [8]),
    node(5, "run<A>", effect, 300),
    node(6, "run<A>", effect, 200, [10]),
    node(7, "", driver, 289),
    node(8, "take$2", lane, 1),
    node(9, "(garbage collector)", "", 100),
    node(10, "writev", "", 1)
  ]
}

describe("a flame graph", () => {
  it("has one frame for the same function at the same place, by package and file, and none of what is idle", () => {
    const all = framesOf(profile)
    assert.strictEqual(all.samples, 1000)
    assert.deepStrictEqual(
      all.children.map(({ file, name, own, samples }) => ({ file, name, own, samples })),
      [
        { file: "http-host/Lane.ts", name: "take", own: 100, samples: 890 },
        { file: "node:events", name: "emit", own: 9, samples: 10 },
        { file: "", name: "(garbage collector)", own: 100, samples: 100 }
      ]
    )
    assert.deepStrictEqual(
      all.children[0]?.children.map(({ file, name, samples }) => ({ file, name, samples })),
      [
        { file: "effect/internal/effect.js", name: "run<A>", samples: 501 },
        { file: "pg/client.js", name: "client.js:5", samples: 289 }
      ]
    )
    assert.deepStrictEqual(ownBy(all), { freehold: 101, effect: 500, packages: 289, node: 9, engine: 101 })
  })

  it("is drawn as wide as its shares, without what is too narrow to see and without markup of names", () => {
    const picture = draw(framesOf(profile), "Made up & drawn")
    assert.include(picture, "Made up &amp; drawn")
    assert.include(picture, "<title>run&lt;A&gt; (effect/internal/effect.js), 50.1 %</title>")
    assert.match(
      picture,
      /<title>take \(http-host\/Lane.ts\), 89.0 %<\/title><rect class="freehold" x="8" y="\d+" width="1053.8"/
    )
    assert.include(picture, "<title>emit (node:events), 1.0 %</title>")
    assert.notInclude(picture, "writev")
    assert.strictEqual(picture.match(/\(http-host\/Lane.ts\)/g)?.length, 1)
    assert.notInclude(picture, "somewhere")
  })
})
