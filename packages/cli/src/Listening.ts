/** Binding a server of ours to an address, with a refusal in words where that is not possible. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Doors from "@freehold/http-host/Doors"
import * as NodeServer from "@freehold/http-host/NodeServer"
import { Duration, Effect, Layer, Schema } from "effect"
import type { HttpServer } from "effect/http"
import { createServer } from "node:net"
import { CommandRefused } from "./CommandRefused.ts"
import { ProcessCount } from "./ProcessCount.ts"

/** How long a server that stops waits for requests that are being answered. */
const drain = Duration.seconds(15)

const SystemFailure = Schema.Struct({ code: Schema.String, message: Schema.String })
const isSystemFailure = Schema.is(SystemFailure)

const cannotListen = (host: string, port: number, setting: string, cause: unknown): CommandRefused => {
  const { code, message } = isSystemFailure(cause) ? cause : { code: "", message: String(cause) }
  const reason = code === "EADDRINUSE"
    ? `port ${port} of ${host} is in use; choose another with ${setting}`
    : `cannot listen on port ${port} of ${host}: ${message}`
  return new CommandRefused({ reason })
}

/** Fails where something listens at the port, also what would share it with us as our own doors do. */
const listenAlone = (host: string, port: number): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    const alone = createServer()
    alone.once("error", (cause) => resume(Effect.fail(cause)))
    alone.listen({ host, port }, () => alone.close(() => resume(Effect.void)))
  })

/**
 * `setting`: what chooses the port.
 *
 * *Gotchas.* Of several processes that share a port, none has doors of its own: what waited at them would be lost with the
 * process, while what waits at the port that all share is taken by another one.
 */
export const bind = (server: NodeServer.BoundedServer, host: string, port: number, setting: string) =>
  Layer.unwrap(Effect.map(ProcessCount, (processes) => {
    const reusePort = Doors.canShare && processes === 1
    const refuse = (cause: unknown) => Effect.fail(cannotListen(host, port, setting, cause))
    // A port that the system chooses is nobody's.
    const free = port === 0 || !reusePort ? Effect.void : Effect.catch(listenAlone(host, port), refuse)
    return NodeHttpServer.layer(() => server, { host, port, reusePort, gracefulShutdownTimeout: drain }).pipe(
      Layer.catchTag(
        "ServeError",
        ({ cause }) => Layer.effectContext<HttpServer.HttpServer, CommandRefused, never>(refuse(cause))
      ),
      Layer.provide(Layer.effectDiscard(free)),
      Layer.merge(NodeServer.lane(server))
    )
  }))

/** The port that was bound, which `asked` does not tell where it is 0. */
export const portOf = (address: HttpServer.HttpServer["Service"]["address"], asked: number): number =>
  address._tag === "UnixPathAddress" ? asked : address.port
