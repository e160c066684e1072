/**
 * MCP over standard input and output, for an assistant that starts this process, as the key in `FREEHOLD_API_KEY`.
 *
 * Requests are answered here, over the database, or are forwarded to a running server. A key that is missing ends the process; one
 * that is not let in does not: it may be on the next call.
 */
import { Answers } from "@freehold/mcp-host/Answers"
import * as LocalSource from "@freehold/mcp-host/LocalSource"
import * as RemoteSource from "@freehold/mcp-host/RemoteSource"
import * as Stdio from "@freehold/mcp-host/Stdio"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { Effect, Layer, Option } from "effect"
import * as Observability from "./Observability.ts"
import { publicOrigin } from "./Origin.ts"
import { SettingFault } from "./setting/Setting.ts"
import { apiKeyForm } from "./setting/SettingForm.ts"
import { Settings } from "./Settings.ts"
import { version } from "./Version.ts"

const serverInfo = { name: "freehold", version }

const key = Effect.gen(function*() {
  const { apiKey } = yield* Settings
  return Option.isSome(apiKey)
    ? apiKey.value
    : yield* new SettingFault({ setting: "FREEHOLD_API_KEY", expected: `set to ${apiKeyForm}`, found: null })
})

/** Forwards to the server at this API root; needs no database. */
export const serveRemote = (url: string) =>
  Effect.flatMap(key, (key) => Stdio.serve({ source: RemoteSource.make(url, key), serverInfo })).pipe(
    Effect.provide(Observability.layer.pipe(Layer.provideMerge(Settings.layer)))
  )

const local = Effect.gen(function*() {
  const source = yield* LocalSource.make(yield* key)
  yield* Stdio.serve({ source, serverInfo })
})

const composition = Effect.promise(() => import("./composition/Serving.ts"))

/** Over the database of the settings. A missing key is told before the database is asked for anything. */
export const serveDatabase = Effect.gen(function*() {
  const { answering, attached } = yield* composition
  const settings = yield* Settings
  yield* key
  const answers = Answers.layer.pipe(
    Layer.provide(Toolbox.layer),
    Layer.provideMerge(answering(publicOrigin(settings), Layer.empty))
  )
  yield* Effect.provide(local, answers.pipe(Layer.provideMerge(attached)))
}).pipe(Effect.provide(Settings.layer))
