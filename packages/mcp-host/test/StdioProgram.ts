/**
 * A process that serves MCP over stdio, as `freehold mcp` does: `node StdioProgram.ts local`, or `remote URL`.
 *
 * Locally the list and one call are admitted; the second call finds the key revoked. The key comes from FREEHOLD_API_KEY.
 */
import { Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { Admission } from "@freehold/core/access/Admission"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import process from "node:process"
import * as LocalSource from "../src/LocalSource.ts"
import * as RemoteSource from "../src/RemoteSource.ts"
import * as Stdio from "../src/Stdio.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const [mode, url = ""] = process.argv.slice(2)
const key = Redacted.make(process.env["FREEHOLD_API_KEY"] ?? "")

/** Admits two requests. */
const OneCall = Layer.unwrap(Effect.sync(() => {
  let admitted = 0
  return Layer.mock(Admission, {
    admit: ({ authorization, requestId }) => {
      admitted += 1
      return admitted > 2 || authorization !== `Bearer ${Redacted.value(key)}`
        ? Effect.fail(new Unauthenticated())
        : Effect.succeed({
          caller: { ...StubCatalogue.caller, requestId },
          minute: { admitted: true, limit: 300, used: admitted, resetsAt: 60_000 }
        })
    }
  })
}))

const source = mode === "remote" ? Effect.succeed(RemoteSource.make(url, key)) : LocalSource.make(key)

const main = Effect.gen(function*() {
  yield* Effect.logInfo("serving")
  yield* Stdio.serve({ source: yield* source, serverInfo: { name: "freehold", version: "1.2.3" } })
  yield* Effect.logInfo("done")
}).pipe(
  Effect.provide([
    StubCatalogue.answers,
    OneCall,
    SecureRandom.layerWebCrypto,
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void process.stderr.write(`${line}\n`))])
  ])
)

Effect.runFork(main)
