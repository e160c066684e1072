/**
 * Further listeners at the port of a server, whose connections become the server's.
 *
 * Node takes one new connection a listener and turn of its event loop. While turns are long, because much is parsed and
 * answered in each, who comes anew waits as many turns as there are others before it, however soon its request would be
 * answered. Among listeners that share a port the system divides the newcomers.
 *
 * *Gotchas.* A port is shared only where each of its listeners says so (`reusePort`), the server's own included; else, and
 * beside Linux, there is that one. Who shares a port does not notice another process that does too: whoever
 * binds has to look for it first.
 */
import { createServer, type Server } from "node:net"

/** Whether the system divides the connections of a port among its listeners. */
export const canShare: boolean = process.platform === "linux"

/** With the server's own, 16. */
const further = 15

/** Opens them at the address of a server that has just begun to listen; answers with those that may be open. */
export const open = (server: Server): ReadonlyArray<Server> => {
  const address = server.address()
  if (!canShare || address === null || typeof address === "string") return []
  return Array.from({ length: further }, () => {
    // As Node's HTTP server has its own.
    const door = createServer(
      { allowHalfOpen: true, noDelay: true },
      (socket) => void server.emit("connection", socket)
    )
    door.on("error", () => door.close())
    door.once("listening", () => {
      if (!server.listening) door.close()
    })
    return door.listen({ host: address.address, port: address.port, reusePort: true })
  })
}

/** Ends when the doors, and the connections that came by them, are closed. */
export const close = async (doors: ReadonlyArray<Server>): Promise<void> => {
  await Promise.all(doors.map((door) => new Promise<unknown>((resolve) => door.close(resolve))))
}
