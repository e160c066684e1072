/**
 * Signing in by the operator's authorization server: two pages that only lead on.
 *
 * | request                      | answer                                                                   |
 * | ---------------------------- | ------------------------------------------------------------------------ |
 * | GET /sign-in/issuer?to=PATH  | to the authorization server; the browser keeps what ties the answer to it |
 * | GET /sign-in/callback        | sets the cookie of a session, and leads to PATH                          |
 *
 * The second is a GET since the authorization server sends the browser there. It signs in only the browser that began: what
 * that one keeps is sealed, `HttpOnly`, and forgotten with the first answer. What goes wrong is told by the sign-in page.
 */
import { AppSignIn, type IssuerRefusal } from "@freehold/core/access/AppSignIn"
import { sessionLifetime } from "@freehold/core/access/Sessions"
import { Duration, Effect, Redacted } from "effect"
import { Cookies, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AdmittedRoute from "../AdmittedRoute.ts"
import { RequestFacts } from "../RequestFacts.ts"
import * as SessionCookie from "./SessionCookie.ts"

/** As long as what it keeps is good for. */
const attemptLifetime = Duration.minutes(10)

/** Characters: of a longer path the cookie in which it is kept meanwhile would be more than browsers keep. */
const longestPath = 2000

/**
 * Leads nowhere but to this app: two slashes name a host, a backslash is one of them to browsers, and what they leave out of an address,
 * tabs and the ends of lines, may stand between them.
 */
const ownPath = /^\/(?![/\\])[\x21-\x7e]*$/

/** A path of this app; the start page for anything else. */
const pathOf = (wanted: string | null): string =>
  wanted !== null && wanted.length <= longestPath && ownPath.test(wanted) ? wanted : "/"

/** What the target of a request asks for, with its question mark. The target may name a host, and be no URL for all that. */
const queryOf = (target: string): string => target.includes("?") ? target.slice(target.indexOf("?")) : ""

/** Sends the browser on, with cookies to keep or to forget. */
const lead = (location: string, setCookies: ReadonlyArray<string> = []) =>
  HttpServerResponse.empty({ status: 303, headers: { location, "referrer-policy": "no-referrer" } }).pipe(
    HttpServerResponse.mergeCookies(Cookies.fromSetCookie(setCookies))
  )

const refused = ({ _tag }: IssuerRefusal, setCookies: ReadonlyArray<string> = []) =>
  lead(`/sign-in?${new URLSearchParams({ refused: _tag })}`, setCookies)

const routes = Effect.fnUntraced(function*({ origin }: { readonly origin: string }) {
  const signIn = yield* AppSignIn
  const { keyless } = yield* AdmittedRoute.make
  const session = SessionCookie.make(origin)
  const kept = SessionCookie.make(origin, "sign-in")

  const begin = Effect.gen(function*() {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const to = pathOf(new URLSearchParams(queryOf(url)).get("to"))
    return yield* signIn.begin(to).pipe(
      Effect.match({
        onFailure: (refusal) => refused(refusal),
        onSuccess: ({ address, attempt }) => lead(address, [kept.keep(attempt, attemptLifetime)])
      })
    )
  })

  const finish = Effect.gen(function*() {
    const { requestId } = yield* RequestFacts
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    return yield* signIn.finish({
      attempt: kept.read(headers["cookie"]) ?? Redacted.make(""),
      query: queryOf(url),
      userAgent: headers["user-agent"] ?? null,
      requestId
    }).pipe(
      Effect.match({
        onFailure: (refusal) => refused(refusal, [kept.forget]),
        onSuccess: ({ choosing, secret, to }) =>
          lead(choosing ? `/organizations?${new URLSearchParams({ to })}` : to, [
            kept.forget,
            session.keep(secret, sessionLifetime)
          ])
      })
    )
  })

  return [
    HttpRouter.route("GET", "/sign-in/issuer", keyless(begin)),
    HttpRouter.route("GET", "/sign-in/callback", keyless(finish))
  ]
})

/** The routes of signing in by the authorization server. */
export const layer = (options: { readonly origin: string }) => HttpRouter.addAll(routes(options))
