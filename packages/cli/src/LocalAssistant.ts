/**
 * MCP over standard input and output, for an assistant that starts this process, as the key in `FREEHOLD_API_KEY`.
 *
 * The tools run here, over the database, or are forwarded to a running server.
 */
import * as LocalTools from "@freehold/mcp-host/LocalTools"
import * as RemoteTools from "@freehold/mcp-host/RemoteTools"
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
  Effect.flatMap(key, (key) => Stdio.serve({ source: RemoteTools.make(url, key), serverInfo })).pipe(
    Effect.provide(Observability.layer.pipe(Layer.provideMerge(Settings.layer)))
  )

const local = Effect.gen(function*() {
  const source = yield* LocalTools.make(yield* key)
  yield* Stdio.serve({ source, serverInfo })
})

const composition = Effect.promise(() => import("./Composition.ts"))

/** Over the database of the settings. A missing key is told before the database is asked for anything. */
export const serveDatabase = Effect.gen(function*() {
  const { attached, services } = yield* composition
  const settings = yield* Settings
  yield* key
  const tools = Toolbox.layer.pipe(Layer.provideMerge(services(publicOrigin(settings))))
  yield* Effect.provide(local, tools.pipe(Layer.provideMerge(attached)))
}).pipe(Effect.provide(Settings.layer))
