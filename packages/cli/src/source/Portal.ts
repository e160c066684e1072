/**
 * Asking a portal politely: one request at a time and so many a second, a pause when it asks for one, and a few tries
 * when it is in trouble.
 */
import { SourceFault } from "@freehold/core/source/SourceReader"
import { type GetAnswer, type GetFault, type GetRequest, GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Clock, Duration, Effect, Option, Result, type Scope, Stream } from "effect"

/** What an answer of a portal may hold at most. */
const longestPage = 64 * 1024 * 1024

/** Values of JSON: sixty-four mebibytes of empty lists are gigabytes of memory, and seconds in which nobody else is answered. */
const mostValues = 4_000_000

const comma = 0x2c
const openBracket = 0x5b
const openBrace = 0x7b

/** How many values may begin in the bytes: signs within texts count, too. */
const valuesIn = (bytes: Uint8Array): number => {
  let count = 0
  for (const byte of bytes) if (byte === comma || byte === openBracket || byte === openBrace) count++
  return count
}

const tries = 5
const longestPause = Duration.minutes(5)

export interface Manners {
  /** Requests a second. */
  readonly rate: number
  /** The first pause after a fault; each following one is twice as long. */
  readonly pause: Duration.Duration
  /** How long one answer may take, to its end. */
  readonly deadline: Duration.Duration
  /** A way to reach whoever asks, which is sent along. */
  readonly contact: string | undefined
}

const passing = (reason: string) => new SourceFault({ reason, lasting: false })

const ofGet = ({ reason, refused }: GetFault) => new SourceFault({ reason, lasting: refused })

/** What a portal answers when it may answer otherwise in a while. */
const isTrouble = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/** The pause that it asks for, in seconds or as a date. */
const askedPause = (answer: GetAnswer, now: number): Duration.Duration | undefined => {
  const text = answer.headers["retry-after"]
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text)) return Duration.seconds(Number(text))
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Duration.millis(Math.max(0, until - now))
}

const collect = Effect.fnUntraced(function*({ body }: GetAnswer) {
  const chunks: Array<Uint8Array> = []
  let length = 0
  let values = 0
  yield* Stream.runForEach(body, (chunk) => {
    length += chunk.length
    values += valuesIn(chunk)
    chunks.push(chunk)
    const excess = length > longestPage
      ? `${longestPage} bytes`
      : values > mostValues
      ? `${mostValues} values`
      : null
    return excess === null
      ? Effect.void
      : Effect.fail(new SourceFault({ reason: `answered more than ${excess} at once`, lasting: true }))
  }).pipe(Effect.catchTag("GetFault", (fault) => Effect.fail(ofGet(fault))))
  return Buffer.concat(chunks).toString("utf8")
})

export interface JsonAnswer {
  readonly headers: GetAnswer["headers"]
  readonly value: unknown
}

export const make = Effect.fnUntraced(function*({ contact, deadline, pause, rate }: Manners) {
  const gets = yield* GuardedGet
  const introduction: GetRequest["headers"] = contact === undefined ? {} : { "User-Agent": `Freehold (${contact})` }
  let freeAt = 0

  const inTurn = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const at = Math.max(now, freeAt)
    freeAt = at + 1000 / rate
    yield* Effect.sleep(Duration.millis(at - now))
  })

  /** Uses the first answer that is none of trouble; a fault that may pass is tried again. */
  const asking = <A, R>(
    request: GetRequest,
    use: (answer: GetAnswer) => Effect.Effect<A, SourceFault, R>
  ): Effect.Effect<A, SourceFault, Exclude<R, Scope.Scope>> => {
    const once = Effect.gen(function*() {
      yield* inTurn
      const answer = yield* gets.get({ ...request, headers: { ...request.headers, ...introduction } }).pipe(
        Effect.mapError(ofGet)
      )
      if (!isTrouble(answer.status)) return Result.succeed(yield* use(answer))
      const asked = askedPause(answer, yield* Clock.currentTimeMillis)
      return Result.fail({ asked, reason: `answered ${answer.status}` })
    }).pipe(Effect.scoped)
    const attempt = (number: number): Effect.Effect<A, SourceFault, Exclude<R, Scope.Scope>> =>
      Effect.gen(function*() {
        const outcome = yield* once.pipe(
          Effect.catch((fault) =>
            fault.lasting ? Effect.fail(fault) : Effect.succeed(Result.fail({ asked: undefined, reason: fault.reason }))
          )
        )
        if (Result.isSuccess(outcome)) return outcome.success
        const { asked, reason } = outcome.failure
        if (number === tries) return yield* passing(`${reason}, ${tries} times`)
        if (asked !== undefined && Duration.isGreaterThan(asked, longestPause)) {
          return yield* passing(`${reason} and asks for a pause of ${Duration.toSeconds(asked)} seconds`)
        }
        yield* Effect.sleep(asked ?? Duration.times(pause, 2 ** (number - 1)))
        return yield* attempt(number + 1)
      })
    return attempt(1)
  }

  /** None: there is no such thing (404). */
  const find = (request: GetRequest): Effect.Effect<Option.Option<JsonAnswer>, SourceFault> =>
    asking(
      { ...request, headers: { Accept: "application/json", "Accept-Encoding": "gzip", ...request.headers } },
      Effect.fnUntraced(
        function*(answer) {
          const text = yield* collect(answer)
          if (answer.status === 404) return Option.none()
          if (answer.status !== 200) {
            return yield* new SourceFault({
              reason: `answered ${answer.status}: ${text.slice(0, 300)}`,
              lasting: true
            })
          }
          const value = Result.try((): unknown => JSON.parse(text))
          return Result.isSuccess(value)
            ? Option.some({ headers: answer.headers, value: value.success })
            : yield* passing("answered what is not JSON")
        },
        Effect.timeoutOrElse({
          duration: deadline,
          orElse: () => Effect.fail(passing(`did not end its answer within ${Duration.toSeconds(deadline)} seconds`))
        })
      )
    )

  const json = (request: GetRequest): Effect.Effect<JsonAnswer, SourceFault> =>
    Effect.flatMap(
      find(request),
      Option.match({
        onNone: () => Effect.fail(new SourceFault({ reason: "answered 404: there is no such dataset", lasting: true })),
        onSome: Effect.succeed
      })
    )

  return { asking, find, json }
})

export type Portal = Effect.Success<ReturnType<typeof make>>
