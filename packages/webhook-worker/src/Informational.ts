/** Informational responses (1xx), which are passed over: how many of them, whoever reads the answer that follows. */
import type { ClientRequest } from "node:http"

/** An honest server sends one or two; a flood of them would keep this process reading until the deadline. */
export const informationalLimit = 20

export const tooManyInformational = `more than ${informationalLimit} informational responses`

/** Ends a request of `node:http`, which itself passes over any number of them, with the first beyond the limit, once that was told. */
export const endFlood = (outgoing: ClientRequest, tell: (reason: string) => void): void => {
  let heard = 0
  outgoing.on("information", () => {
    if (++heard <= informationalLimit) return
    // At once: the answer may be in the same piece, and is heard before the end of the request.
    tell(`sends ${tooManyInformational}`)
    outgoing.destroy()
  })
}
