/**
 * Fetches pages of the web politely: by the site's robots.txt, one at a time and with a pause between them for each host of
 * this process, never further than the site, and so much and so long at most.
 *
 * What was read is remembered, so that a page is fetched once in `keptFor`, by all processes. A robots.txt that cannot be
 * read because of the site's trouble forbids everything until it can (RFC 9309).
 */
import { FinderCache } from "@freehold/core/research/FinderCache"
import { type GetAnswer, GetFault, GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { DateTime, Duration, Effect, Option, RcMap, Schema, Semaphore, Stream } from "effect"
import * as PageText from "./PageText.ts"
import * as Robots from "./Robots.ts"
import { isOfSite } from "./SiteLinks.ts"

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
  const turns = yield* RcMap.make({ lookup: (_host: string) => Semaphore.make(1), idleTimeToLive: "1 minute" })

  /** Asks once, in the host's turn, after a rest. */
  const ask = <A>({ accept, mayLeadTo, rest, url }: Asking, use: (answer: GetAnswer) => Effect.Effect<A, GetFault>) =>
    Effect.gen(function*() {
      const turn = yield* RcMap.get(turns, new URL(url).host)
      const once = gets.get({ url, headers: { Accept: accept, "Accept-Encoding": "gzip" }, mayLeadTo }).pipe(
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
        )
      )
      return yield* turn.withPermit(Effect.andThen(Effect.sleep(rest), once))
    }).pipe(Effect.scoped)

  const readText = (answer: GetAnswer, most: number) =>
    Effect.map(bytesOf(answer, most), (bytes) => decoded(bytes, answer.headers["content-type"] ?? ""))

  /** What the site lets us read, by its robots.txt. */
  const robotsOf = Effect.fnUntraced(function*(site: string) {
    const url = new URL("/robots.txt", site).href
    const kept = Option.flatMap(yield* cache.read(`robots ${url}`), decodeRobots)
    if (Option.isSome(kept)) return Robots.parse(kept.value.text, agent)
    const text = yield* ask(
      { url, accept: "text/plain", rest: Duration.zero, mayLeadTo: (next) => isOfSite(site, next) },
      (answer) => answer.status === 200 ? readText(answer, longestRobots) : Effect.succeed("")
    )
    yield* cache.write(`robots ${url}`, { text }, robotsKeptFor)
    return Robots.parse(text, agent)
  })

  /** A page of a site; none: there is none there, or it may not be read. */
  const page = Effect.fnUntraced(function*(site: string, url: string) {
    const kept = Option.flatMap(yield* cache.read(`page ${url}`), decodePage)
    if (Option.isSome(kept)) return Option.fromNullishOr(kept.value)
    const robots = yield* robotsOf(site)
    const isAllowed = (address: string) => isOfSite(site, address) && Robots.allows(robots, address)
    if (!isAllowed(url)) return Option.none<WebPage>()
    const asked = Duration.min(Duration.seconds(robots.delay), longestPause)
    const fetched = yield* ask(
      { url, accept: "text/html", rest: Duration.max(pause, asked), mayLeadTo: isAllowed },
      Effect.fnUntraced(function*(answer) {
        const type = answer.headers["content-type"] ?? ""
        if (answer.status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(type)) return null
        const body = yield* readText(answer, longestPage)
        const readAt = DateTime.formatIso(yield* DateTime.now)
        return { address: answer.url, readAt, ...yield* PageText.read(body) }
      })
    ).pipe(
      Effect.catchTag("GetFault", (fault) => fault.refused ? Effect.succeed(null) : Effect.fail(fault))
    )
    yield* cache.write(
      `page ${url}`,
      fetched === null ? null : { ...fetched, links: fetched.links.map(({ href, words }) => ({ href, words })) },
      keptFor
    )
    return Option.fromNullishOr(fetched)
  })

  return { page }
})
