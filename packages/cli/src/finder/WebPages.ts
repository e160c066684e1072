/**
 * Fetches pages of the web politely: by the robots.txt of their host, one at a time and with a pause between them for each
 * site of this process, never further than the site, and so much and so long at most.
 *
 * What was read is remembered, so that a page is fetched once in `keptFor`, by all processes. A robots.txt that cannot be
 * read because of the site's trouble forbids everything until it can (RFC 9309).
 */
import { FinderCache } from "@freehold/core/research/FinderCache"
import { type GetAnswer, GetFault, GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { DateTime, Duration, Effect, Option, RcMap, Schema, Semaphore, Stream } from "effect"
import * as PageText from "./PageText.ts"
import * as Robots from "./Robots.ts"
import { hostOf, isOfSite } from "./SiteLinks.ts"

export interface WebPagesSettings {
  /** How the reader is called, in requests and in robots.txt. */
  readonly agent: string
  /** Between two requests to one host. */
  readonly pause: Duration.Duration
  /** How long one page may take. */
  readonly patience: Duration.Duration
  /** How long a page is remembered. */
  readonly keptFor: Duration.Duration
}

const robotsKeptFor = Duration.days(1)

/** Bytes of a page and of a robots.txt; the rest is not read. */
const longestPage = 1024 * 1024
const longestRobots = 512 * 1024

/** A pause that a site asks for is kept up to this. */
const longestPause = Duration.seconds(10)

/** With and without `www.`, over http and https: a site that leads further than to each of them leads in a circle. */
const mostOrigins = 4

const Page = Schema.Struct({
  address: Schema.String,
  readAt: Schema.String,
  text: Schema.String,
  links: Schema.Array(Schema.Struct({ href: Schema.String, words: Schema.String }))
})
export type WebPage = typeof Page.Type

const RobotsFile = Schema.Struct({ text: Schema.String })

const decodePage = Schema.decodeUnknownOption(Schema.NullOr(Page))
const decodeRobots = Schema.decodeUnknownOption(RobotsFile)

/** The bytes of an answer up to a bound. */
const bytesOf = Effect.fnUntraced(function*({ body }: GetAnswer, most: number) {
  const chunks: Array<Uint8Array> = []
  let length = 0
  yield* body.pipe(
    Stream.takeWhile(() => length < most),
    Stream.runForEach((chunk) =>
      Effect.sync(() => {
        length += chunk.length
        chunks.push(chunk)
      })
    )
  )
  return Buffer.concat(chunks).subarray(0, most)
})

const charsetOf = (type: string): string => /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8"

const decoded = (bytes: Uint8Array, type: string): string => {
  try {
    return new TextDecoder(charsetOf(type)).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const isTrouble = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

interface Asking {
  readonly url: string
  readonly accept: string
  readonly rest: Duration.Duration
  readonly mayLeadTo: (url: string) => boolean
}

export const make = Effect.fnUntraced(function*({ agent, keptFor, patience, pause }: WebPagesSettings) {
  const gets = yield* GuardedGet
  const cache = yield* FinderCache
  /** By site: while somebody has the turn, no other request of this process goes there. */
  const turns = yield* RcMap.make({ lookup: (_site: string) => Semaphore.make(1), idleTimeToLive: "1 minute" })

  /** Asks once, after a rest, by whoever has the turn. */
  const ask = <A>({ accept, mayLeadTo, rest, url }: Asking, use: (answer: GetAnswer) => Effect.Effect<A, GetFault>) =>
    gets.get({ url, headers: { Accept: accept, "Accept-Encoding": "gzip" }, mayLeadTo }).pipe(
      Effect.flatMap((answer) =>
        isTrouble(answer.status)
          ? Effect.fail(new GetFault({ reason: `${url} answered ${answer.status}`, refused: false }))
          : use(answer)
      ),
      Effect.scoped,
      Effect.timeout(patience),
      Effect.catchTag(
        "TimeoutError",
        () => Effect.fail(new GetFault({ reason: `${url} took too long`, refused: false }))
      ),
      Effect.delay(rest)
    )

  const readText = (answer: GetAnswer, most: number) =>
    Effect.map(bytesOf(answer, most), (bytes) => decoded(bytes, answer.headers["content-type"] ?? ""))

  /** What the host of the address lets us read, by its robots.txt. */
  const robotsOf = Effect.fnUntraced(function*(address: string) {
    const url = new URL("/robots.txt", address).href
    const kept = Option.flatMap(yield* cache.read(`robots ${url}`), decodeRobots)
    if (Option.isSome(kept)) return Robots.parse(kept.value.text, agent)
    const text = yield* ask(
      { url, accept: "text/plain", rest: pause, mayLeadTo: (next) => isOfSite(address, next) },
      (answer) => answer.status === 200 ? readText(answer, longestRobots) : Effect.succeed("")
    )
    yield* cache.write(`robots ${url}`, { text }, robotsKeptFor)
    return Robots.parse(text, agent)
  })

  const readPage = Effect.fnUntraced(function*(answer: GetAnswer) {
    const type = answer.headers["content-type"] ?? ""
    if (answer.status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return null
    const body = yield* readText(answer, longestPage)
    const readAt = DateTime.formatIso(yield* DateTime.now)
    return { address: answer.url, readAt, ...yield* PageText.read(body) }
  })

  /** By whoever has the turn; null: there is none there, or it may not be read. */
  const fetchPage = Effect.fnUntraced(function*(site: string, url: string) {
    // Grows while it is walked: a redirect to another host of the site is followed once its own robots.txt is known.
    const ways = [url]
    for (const way of ways) {
      const robots = yield* robotsOf(way)
      if (!Robots.allows(robots, way)) return null
      const { origin } = new URL(way)
      const mayLeadTo = (next: string) => {
        const staysHere = new URL(next).origin === origin
        if (!staysHere && isOfSite(site, next)) ways.push(next)
        return staysHere && Robots.allows(robots, next)
      }
      const asked = Duration.min(Duration.seconds(robots.delay), longestPause)
      const read = yield* ask({ url: way, accept: "text/html", rest: Duration.max(pause, asked), mayLeadTo }, readPage)
        .pipe(Effect.catchTag("GetFault", (fault) => fault.refused ? Effect.succeed(null) : Effect.fail(fault)))
      if (way === ways.at(-1)) return read
      if (ways.length > mostOrigins) break
    }
    return yield* new GetFault({ reason: `${url} redirects in a circle`, refused: false })
  })

  /** A page of a site; none: there is none there, or it may not be read. */
  const page = Effect.fnUntraced(function*(site: string, url: string) {
    const look = Effect.map(cache.read(`page ${url}`), Option.flatMap(decodePage))
    const inTurn = Effect.gen(function*() {
      // Whoever had the turn before may have read it.
      const kept = yield* look
      if (Option.isSome(kept)) return kept.value
      if (!isOfSite(site, url) || !Robots.allows(yield* robotsOf(url), url)) return null
      const fetched = yield* fetchPage(site, url)
      yield* cache.write(
        `page ${url}`,
        fetched === null ? null : { ...fetched, links: fetched.links.map(({ href, words }) => ({ href, words })) },
        keptFor
      )
      return fetched
    })
    const kept = yield* look
    if (Option.isSome(kept)) return Option.fromNullishOr(kept.value)
    const turn = yield* RcMap.get(turns, hostOf(new URL(url)))
    return Option.fromNullishOr(yield* turn.withPermit(inTurn))
  }, Effect.scoped)

  return { page }
})
