/** Servers of tests, on loopback. */
import { Effect, type Scope } from "effect"
import { createServer, type RequestListener } from "node:http"

/** Serves until the scope ends; answers the origin. */
export const served = Effect.fnUntraced(
  function*(listener: RequestListener): Effect.fn.Return<string, never, Scope.Scope> {
    const server = createServer(listener)
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    )
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.die("expected a port")
    return `http://127.0.0.1:${address.port}`
  }
)
