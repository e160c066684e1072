/** Servers of tests, on loopback. */
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"

export const listening = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The same until the scope ends. */
export const served = (listener: RequestListener) =>
  Effect.acquireRelease(Effect.promise(() => listening(listener)), ({ close }) => Effect.sync(close))
