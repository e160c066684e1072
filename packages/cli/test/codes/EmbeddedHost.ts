/**
 * The hosts of REST and of the tools inside another application, which keeps the accounts elsewhere and cannot tell about them at the moment.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { AccountStanding } from "@freehold/core/access/AccountStanding"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import * as NodeServer from "@freehold/http-host/NodeServer"
import * as RestHost from "@freehold/http-host/RestHost"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { answering, hosting } from "../../src/composition/Serving.ts"
import type { Environment } from "../Freehold.ts"
import { mcp } from "../MemoryServer.ts"

/** What cannot be told: whether the account is closed, or whether it is suspended. */
export type Unknown = "closed" | "suspended"

/** Serves for as long as `use` runs, which is given the API root. */
export const serving = <A>(env: Environment, unknown: Unknown, use: (url: string) => Promise<A>): Promise<A> => {
  const away = Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 }))
  const standing = Layer.succeed(
    AccountStanding,
    Option.some({
      isClosed: () => unknown === "closed" ? away : Effect.succeed(false),
      isSuspended: () => unknown === "suspended" ? away : Effect.succeed(false)
    })
  )
  const host = RestHost.serve(Layer.merge(RestHost.layer, mcp)).pipe(
    Layer.provideMerge(NodeHttpServer.layerServer(NodeServer.create, { host: "127.0.0.1", port: 0 })),
    Layer.provide(answering("http://127.0.0.1", Layer.empty)),
    Layer.provide(standing),
    Layer.provide(hosting),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(env)))
  )
  return Effect.runPromise(
    Effect.flatMap(
      HttpServer.HttpServer,
      ({ address }) => Effect.promise(() => use(`http://127.0.0.1:${"port" in address ? address.port : 0}/v1`))
    ).pipe(
      Effect.provide(host)
    )
  )
}
