/** The app over ports in memory, and people who sign in to it. */
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { AppCatalogue } from "@freehold/core/catalogue/AppCatalogue"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { OperatorSignIn } from "@freehold/core/operator/OperatorSignIn"
import { type Member, Organizations } from "@freehold/core/organization/Organizations"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option, Redacted } from "effect"
import * as ConsoleHost from "../../src/console/ConsoleHost.ts"
import * as RestHost from "../../src/RestHost.ts"
import { core, layerWith, type Sent, type Tenant, TestHost } from "../TestHost.ts"

export const origin = "https://app.example"

const document = new TextEncoder().encode("<!doctype html><title>The app</title>")

const app = ConsoleHost.layer({
  origin,
  operatorOrigin: origin,
  pages: {
    documents: [{ paths: ["/", "/properties/:id"], content: Effect.succeed(document) }],
    assets: [{
      path: "/assets/main-1.js",
      contentType: "text/javascript; charset=utf-8",
      content: Effect.succeed(new Uint8Array(4000))
    }]
  }
})

/** Who may sign in, and the ports behind it all. */
export const people = Layer.mergeAll(AppSignIn.layer, OperatorSignIn.layer).pipe(
  Layer.provideMerge(OrganizationsMemory.layer),
  Layer.provideMerge(core)
)

/** The app, REST and more routes over ports in memory. */
export const hostWith = <E, R>(more: Layer.Layer<never, E, R>) =>
  Layer.merge(
    layerWith(
      Layer.mergeAll(RestHost.layer, app, more).pipe(Layer.provide([people, Layer.provide(AppCatalogue.layer, core)]))
    ),
    people
  )

/** The app and REST over ports in memory. */
export const host = hostWith(Layer.empty)

let made = 0

/** A new member of an organization. */
export const join = Effect.fnUntraced(function*(tenant: Tenant, given: Partial<Member> = {}) {
  const organizations = yield* Organizations
  const memberId = `00000000-0000-4000-b000-${String(++made).padStart(12, "0")}`
  const joined = member({ memberId, email: `ana-${made}@people.example`, name: "Ana", ...given })
  yield* organizations.saveMember(`org_${tenant}`, joined)
  return joined
})

export const linkOf = Effect.fnUntraced(function*(tenant: Tenant, { memberId }: Member) {
  const signIn = yield* AppSignIn
  return Redacted.value(Option.getOrThrow(yield* signIn.issueLink(`org_${tenant}`, memberId)))
})

export const fromPage = { "sec-fetch-site": "same-origin" }

/** A POST as a page of the app sends it. */
export const post = (path: string, json: unknown = {}, headers: Sent["headers"] = {}) =>
  TestHost.use(({ call }) => call("POST", path, { json, headers: { ...fromPage, ...headers } }))

/** Signs a new member in; answers the cookie. */
export const signedIn = Effect.fnUntraced(function*(tenant: Tenant, given: Partial<Member> = {}) {
  const joined = yield* join(tenant, given)
  const { headers } = yield* post("/console/sign-in", { link: yield* linkOf(tenant, joined) })
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? ""
  return {
    joined,
    cookie,
    ask: (operation: string, input: unknown = {}) => post(`/console/${operation}`, input, { cookie })
  }
})

export const codeOf = (
  { body, status }: { readonly status: number; readonly body: { refusal?: { code: string } } }
) => [
  status,
  body.refusal?.code
]
