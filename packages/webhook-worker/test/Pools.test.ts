/** What is read of a receiver that says more than anybody listens to. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Http from "node:http"
import { agentFor } from "../src/Pools.ts"
import * as Receiver from "./Receiver.ts"

it.live("parses little of a flood before the connection is given up", () =>
  Effect.gen(function*() {
    const informational = "HTTP/1.1 103 Early Hints\r\n\r\n"
    const receiver = yield* Receiver.raw((socket) => socket.write(informational.repeat(10_000)))
    const { port } = receiver
    const url = new URL(`http://127.0.0.1:${port}/`)
    const target = {
      secure: false,
      hostname: url.hostname,
      port,
      path: url.pathname,
      href: url.href,
      isAddress: true,
      addresses: [url.hostname]
    }
    const parsed = yield* Effect.callback<number>((resume) => {
      let parsed = 0
      const outgoing = Http.request({ agent: agentFor(target, undefined, false), hostname: "127.0.0.1", port })
      outgoing.on("information", () => {
        parsed += 1
        outgoing.destroy()
      })
      outgoing.on("error", () => {})
      outgoing.once("close", () => resume(Effect.succeed(parsed)))
      outgoing.end()
    })
    assert.isAtMost(parsed, Math.ceil(4096 / informational.length))
    yield* receiver.allClosed
  }))
