/** A file whose content could not be read once. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as RequestFrame from "../src/RequestFrame.ts"
import * as StaticFile from "../src/StaticFile.ts"
import { layerWith, TestHost } from "./TestHost.ts"

const state = { isThere: false, reads: 0 }

const file: StaticFile.StaticFile = {
  path: "/file.txt",
  contentType: "text/plain; charset=utf-8",
  cacheControl: "no-cache",
  content: Effect.suspend(() => {
    state.reads += 1
    return state.isThere ? Effect.succeed(new TextEncoder().encode("made up")) : Effect.die("it is not there")
  })
}

const host = layerWith(
  HttpRouter.addAll(Effect.map(StaticFile.route(file), (route) => [route])).pipe(Layer.provide(RequestFrame.layer))
)

layer(host, { excludeTestServices: true })("a file that is missing for a moment", (it) => {
  it.effect("is answered as soon as it is there again, and read no more from then on", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      const statusOf = Effect.map(call("GET", file.path), ({ status }) => status)
      assert.strictEqual(yield* statusOf, 500)
      state.isThere = true
      assert.deepStrictEqual([yield* statusOf, yield* statusOf, state.reads], [200, 200, 2])
    }))
})
