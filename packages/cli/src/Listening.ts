/** Binding a server of ours to an address, with a refusal in words where that is not possible. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Duration, Effect, Layer, Schema } from "effect"
import type { HttpServer } from "effect/http"
import type { Server } from "node:http"
import { CommandRefused } from "./CommandRefused.ts"

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

/** `setting`: what chooses the port. */
export const bind = (server: Server, host: string, port: number, setting: string) =>
  NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: drain }).pipe(
    Layer.catchTag("ServeError", ({ cause }) =>
      Layer.effectContext<HttpServer.HttpServer, CommandRefused, never>(
        Effect.fail(cannotListen(host, port, setting, cause))
      ))
  )

/** The port that was bound, which `asked` does not tell where it is 0. */
export const portOf = (address: HttpServer.HttpServer["Service"]["address"], asked: number): number =>
  address._tag === "UnixPathAddress" ? asked : address.port
