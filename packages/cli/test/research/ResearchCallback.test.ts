/** Whoever reaches the door of answers can send large bodies to it before a signature is looked at: all who do share one pace. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, layer } from "@effect/vitest"
import { Admission } from "@freehold/core/access/Admission"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import * as NodeServer from "@freehold/http-host/NodeServer"
import * as Pace from "@freehold/http-host/Pace"
import { maximumBytes } from "@freehold/http-host/RequestBody"
import * as RestHost from "@freehold/http-host/RestHost"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import * as ResearchCallback from "../../src/ResearchCallback.ts"
import { post, secret, signature } from "./OwnResearcher.ts"

const host = RestHost.serve(ResearchCallback.layer(Redacted.make(secret))).pipe(
  Layer.provide(Admission.layer),
  Layer.provide(AddressLimiter.layer),
  Layer.provide(MemoryPorts.layer),
  Layer.provideMerge(NodeHttpServer.layerServer(NodeServer.create, { host: "127.0.0.1", port: 0 }))
)

/** No answer to a job, once its signature was verified. */
const answerOf = (length: number) => JSON.stringify({ job_id: "x".repeat(length) })

const patient = (Pace.bodies.bytesAtOnce + Pace.bodies.bytesPerSecond * Pace.bodies.patience / 1000) / maximumBytes

layer(host, { excludeTestServices: true })("The door of answers", (it) => {
  it.effect("503 TEMPORARILY_UNAVAILABLE: more large bodies than are read within the time that a request waits; short ones go on", () =>
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      const url = `http://127.0.0.1:${"port" in address ? address.port : 0}${ResearchCallback.path}`
      const large = answerOf(maximumBytes - 100)
      const signed = signature(large)
      const [many, another] = yield* Effect.promise(() =>
        Promise.all([
          Promise.all(
            Array.from({ length: 3 * patient }, (_, index) => post(url, large, index % 2 === 0 ? signed : ""))
          ),
          post(url, answerOf(1))
        ])
      )
      assert.strictEqual(another.status, 400)
      const refused = many.filter(({ status }) => status === 503)
      // However slowly they come.
      assert.isNotEmpty(refused)
      assert.isAtLeast(many.filter(({ status }) => status === 400 || status === 401).length, patient - 1)
      for (const { body } of refused) assert.strictEqual(body.meta.code, "TEMPORARILY_UNAVAILABLE")
    }))
})
