/**
 * The names of the spans of requests: the method and the pattern of the route, so that a trace is found by its endpoint and
 * no name holds an id.
 *
 * *Gotchas.* A span begins before its request is routed, so the path is looked up once more; only where spans are made.
 */
import { Layer } from "effect"
import { FindMyWay, HttpMiddleware } from "effect/http"

/** `patterns`: the paths of all routes. */
export const layer = (patterns: ReadonlyArray<`/${string}`>) => {
  const known = FindMyWay.make<string>({ maxParamLength: 4096 })
  for (const pattern of new Set(patterns)) known.on("GET", pattern, pattern)
  return Layer.succeed(HttpMiddleware.SpanNameGenerator, ({ method, url }) => {
    const found = known.find("GET", url)
    return found === undefined ? method : `${method} ${found.handler}`
  })
}
