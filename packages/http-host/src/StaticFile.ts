/**
 * A file that is the same for everybody: prepared once, as a rule when it is first asked for, and told apart by its ETag.
 *
 * Needs no key; counts towards the address's requests like everything else. GET and HEAD answer it, compressed for who
 * takes gzip, or 304 to who has it; OPTIONS tells the methods, any other method is 405. Large ones go at a pace (`Pace`), and
 * where too many are asked for, 503.
 */
import { Duration, Effect, Exit } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import * as AdmittedRoute from "./AdmittedRoute.ts"
import * as Envelope from "./Envelope.ts"
import * as Pace from "./Pace.ts"
import { methodNotAllowed } from "./RequestFault.ts"

type Headers = Readonly<Record<string, string>>

export interface StaticFile {
  readonly path: `/${string}`
  readonly contentType: string
  /** How long it may be used without asking again. */
  readonly cacheControl: string
  /** Of an answer; `host`: the one that the request named. */
  readonly headers?: Headers | ((host: string) => Headers)
  readonly content: Effect.Effect<Uint8Array>
  /** Prepared soon after the start already, because it takes the thread for long. */
  readonly ahead?: boolean
}

/** Until then a server that has just begun has its first requests. */
const soon = "2 seconds"

const allow = "GET, HEAD, OPTIONS"

const busy = Envelope.notReady("busy", "Too many large files are being asked for; ask again in a moment.")

const compress = promisify(gzip)

const prepared = Effect.fnUntraced(function*({ content }: StaticFile) {
  const digest = yield* Digest.Digest
  const plain = yield* content
  const compressed = yield* Effect.promise(() => compress(plain))
  const hash = yield* Effect.orDie(digest.digestHex(Digest.sha256, plain))
  // Weak: the compressed form is the same file.
  return { plain, compressed: new Uint8Array(compressed), etag: `W/"${hash.slice(0, 32)}"` }
})

const opaque = (etag: string): string => etag.trim().replace(/^W\//, "")

/** Whether `If-None-Match` names the file. */
const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === "*" || header.split(",").some((each) => opaque(each) === opaque(etag)))

/** What answers the file, by the method. */
const answering = Effect.fnUntraced(function*(file: StaticFile) {
  const { keyless } = yield* AdmittedRoute.make
  const pace = yield* Pace.OfFiles
  // What could not be read is looked for anew.
  const prepare = yield* Effect.cachedWithTTL(
    prepared(file),
    (exit) => Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
  )
  if (file.ahead === true) yield* Effect.forkScoped(Effect.delay(prepare, soon))

  const send = Effect.fnUntraced(function*(method: string, headers: Readonly<Record<string, string | undefined>>) {
    const { compressed, etag, plain } = yield* prepare
    const own = typeof file.headers === "function" ? file.headers(headers["host"] ?? "") : file.headers
    const shown = {
      ...own,
      etag,
      "cache-control": file.cacheControl,
      vary: "accept-encoding"
    }
    if (isKnown(headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers: shown })
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(headers["accept-encoding"] ?? "")
    const bytes = takesGzip ? compressed : plain
    if (method === "GET" && !(yield* pace.wait(Pace.everybody, bytes.length))) return busy
    return HttpServerResponse.uint8Array(bytes, {
      contentType: file.contentType,
      headers: takesGzip ? { ...shown, "content-encoding": "gzip" } : shown
    })
  })

  return Effect.gen(function*() {
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    if (method === "GET" || method === "HEAD") return yield* keyless(send(method, headers))
    return yield* keyless(Effect.sync(() =>
      method === "OPTIONS"
        ? HttpServerResponse.empty({ status: 204, headers: { allow } })
        : Envelope.fault(methodNotAllowed(method, allow))
    ))
  })
})

/** The route of the file. */
export const route = (file: StaticFile) =>
  Effect.map(answering(file), (answer) => HttpRouter.route("*", file.path, answer))

const notFound = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  (request) =>
    Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))
)

const folderOf = (path: `/${string}`) => `/${path.slice(1, path.lastIndexOf("/"))}` as const

/**
 * One route for all files of a folder; what else is asked for there has no route. The router compares each route that it is
 * told of with all before, for every method that there is: hundreds keep a server's start waiting.
 */
export const folders = Effect.fnUntraced(function*(files: ReadonlyArray<StaticFile>) {
  const answers = new Map<string, Effect.Success<ReturnType<typeof answering>>>(
    yield* Effect.forEach(files, (file) => Effect.map(answering(file), (answer) => [file.path, answer] as const))
  )
  return [...new Set(files.map(({ path }) => folderOf(path)))].map((folder) =>
    HttpRouter.route(
      "*",
      `${folder}/:file`,
      Effect.flatMap(HttpRouter.params, ({ file = "" }) => answers.get(`${folder}/${file}`) ?? notFound)
    )
  )
})
