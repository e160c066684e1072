/**
 * Ends what Node reads of a connection before it has read all that came.
 *
 * Node takes apart up to 64 KiB of a connection at once: two thousand requests without a body, or ten thousand pieces of one. A
 * connection that is closed meanwhile is read to the end of them all the same, some milliseconds each, which a few hundred
 * connections make seconds.
 *
 * *Gotchas.* The parser is Node's own and not documented. Where it is another one, nothing is done, and all is read.
 */
import { Predicate } from "effect"
import type { Socket } from "node:net"

/** What of a request Node is told by its parser. */
const told = ["kOnHeaders", "kOnHeadersComplete", "kOnBody", "kOnMessageComplete"] as const

/** What a parser is answered with that reads no further: what follows is of another protocol. */
const another = 2

const stop = (): number => another

/** The places in the parser of who is told; null: it is not the parser that is known. */
const placesOf = (parser: object): ReadonlyArray<number> | null => {
  const { constructor } = parser
  const places = told.map((name): unknown => Reflect.get(constructor, name))
  return places.every((place) => typeof place === "number") ? places : null
}

/** Tells nobody any more of what is read of a connection that is destroyed. */
export const end = (socket: Socket): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (!Predicate.isObject(parser)) return
  const places = placesOf(parser)
  if (places === null) return
  const before = places.map((place): unknown => Reflect.get(parser, place))
  if (!before.every(Predicate.isFunction)) return
  for (const [at, place] of places.entries()) {
    Reflect.set(parser, place, told[at] === "kOnHeadersComplete" ? stop : null)
  }
  // It is given to another connection then.
  socket.once("close", () => {
    for (const [at, place] of places.entries()) Reflect.set(parser, place, before[at])
  })
}
