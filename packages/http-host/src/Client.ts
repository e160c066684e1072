/**
 * A client of the REST API for Node and browsers, whose types are those of the definitions that the server runs.
 *
 *     const freehold = Client.make({ baseUrl: "https://freehold.example/v1", apiKey })
 *     const answer = await freehold.call("POST /properties/{id}/unlock", { id })
 *     if (answer.success) console.log(answer.data.creditsCharged)
 *     else if (answer.code === "INSUFFICIENT_CREDITS") console.log(answer.detail.required)
 *
 * A refusal is a value: its code narrows its detail. What never became an answer (no network, aborted) rejects as `fetch`
 * does. Nothing is retried; `retryAfterSeconds` tells when to.
 *
 * *Gotchas.* The codes are those known when the client was made: treat another one as its status. Of this module only
 * `make` exists at run time; it has no dependencies. The rows of a search are typed whole; with `fields` they have those columns
 * alone.
 */
import type { CommonRefusal } from "@freehold/core/operation/Operation"
import type { Whole } from "@freehold/core/property/PropertyOperations"
import type { Schema } from "effect"
import type { admission } from "./openapi/Refusals.ts"
import type { restWords } from "./RestRefusals.ts"
import type { Line, Lines, Shape } from "./Routes.ts"

/** `{id}` for `:id`. */
type Template<Path extends string> = Path extends `${infer Head}:${infer Name}/${infer Tail}`
  ? `${Head}{${Name}}/${Template<Tail>}`
  : Path extends `${infer Head}:${infer Name}` ? `${Head}{${Name}}`
  : Path

type Routed = { readonly [L in Lines[number] as `${L["method"]} ${Template<L["path"]>}`]: L }

/** An endpoint, such as `GET /properties/{id}`. */
export type Endpoint = keyof Routed

type More<L extends Line> = NonNullable<L["more"]>

type Input<L extends Line> = L["operation"]["input"]["Encoded"]

type Parameters<L extends Line> = More<L> extends { readonly parameters: infer P } ? P : {}

type QueryKey<L extends Line> = More<L> extends { readonly query: ReadonlyArray<infer Key> } ? Key : never

type InPath<L extends Line> = {
  readonly [Name in keyof Parameters<L>]: Parameters<L>[Name] extends keyof Input<L> ? Input<L>[Parameters<L>[Name]]
    : never
}

type InQuery<L extends Line> = Pick<Input<L>, Extract<QueryKey<L>, keyof Input<L>>>

type InBody<L extends Line> = More<L> extends { readonly body: "arguments" }
  ? Omit<Input<L>, Extract<Parameters<L>[keyof Parameters<L>] | QueryKey<L>, PropertyKey>>
  : {}

/** What an endpoint takes, wherever it goes in the request. */
export type Arguments<E extends Endpoint> = InPath<Routed[E]> & InQuery<Routed[E]> & InBody<Routed[E]>

type Shaped<L extends Line> = More<L> extends { readonly shape: infer S extends Shape } ? S : null

/** What an endpoint answers. */
export type Data<E extends Endpoint> = Whole<
  Shaped<Routed[E]> extends infer S extends Shape ? S["data"]["Encoded"]
    : Routed[E]["operation"]["output"]["Encoded"]
>

/** What stands beside the answer; `records` when it took some of the records allowance. */
export type Meta<E extends Endpoint> =
  & (Shaped<Routed[E]> extends infer S extends Shape ? NonNullable<S["meta"]>["Encoded"] : {})
  & { readonly records?: { readonly taken: number; readonly remaining: number } }

interface Refusing<Code> {
  new(...args: ReadonlyArray<never>): { readonly _tag: Code }
  readonly fields: Schema.Struct.Fields
}

/** A refusal's code and detail; `detail` is empty for most. */
type Told<R> = R extends Refusing<infer Code>
  ? { readonly code: Code; readonly detail: Schema.Struct.Encoded<Omit<R["fields"], "_tag">> }
  : never

type Listed<E extends Endpoint> = Routed[E]["operation"]["refusals"][number]

type Replaced = keyof typeof restWords

type InRestWords<R> = R extends Refusing<infer Code> ? Code extends Replaced ? (typeof restWords)[Code][number] : R
  : never

type Admission = (typeof admission)[Exclude<keyof typeof admission, "UNAUTHENTICATED">]["refusal"]

type Uncoded<E extends Endpoint> = More<Routed[E]> extends { readonly uncoded: ReadonlyArray<infer Code> } ? Code
  : never

type Coded<E extends Endpoint> = Told<InRestWords<Listed<E>> | Admission> | {
  readonly code: Exclude<CommonRefusal["_tag"], "INVALID_ARGUMENTS">
  readonly detail: { readonly retryAfterSeconds: number }
}

/** Without a code the status says it all: 400 with `issues`, 401, 404, 413, 415, 500. */
interface Codeless {
  readonly code: null
  readonly detail: {
    readonly issues?: ReadonlyArray<{ readonly field: string | null; readonly message: string }>
    readonly requestId?: string
  }
}

export type Refusal<E extends Endpoint> =
  & {
    readonly success: false
    readonly status: number
    /** For people. */
    readonly error: string
    readonly retryAfterSeconds: number | null
    readonly headers: Headers
  }
  & (Exclude<Coded<E>, { readonly code: Uncoded<E> }> | Codeless)

export interface Success<E extends Endpoint> {
  readonly success: true
  readonly status: 200
  readonly data: Data<E>
  readonly meta: Meta<E>
  readonly headers: Headers
}

export type Answer<E extends Endpoint> = Success<E> | Refusal<E>

export interface Options {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

export interface Client {
  /** Calls an endpoint. Arguments that it cannot do without are required here too. */
  call<E extends Endpoint>(
    endpoint: E,
    ...rest: {} extends Arguments<E> ? [given?: Arguments<E>, options?: Options]
      : [given: Arguments<E>, options?: Options]
  ): Promise<Answer<E>>
}

/** What came over the wire: of the type that the contract says, which is not checked again here. */
type FromWire = ReturnType<typeof JSON.parse>

/** The body as the API writes it; what something in between wrote is a failure with that text. */
const bodyOf = async (response: Response): Promise<FromWire> => {
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  return isJson ? JSON.parse(text) : { success: false, error: text }
}

const answerOf = async (response: Response): Promise<FromWire> => {
  const { headers, status } = response
  const { data, meta = {}, success, ...failure } = await bodyOf(response)
  if (success === true) return { success, status, data, meta, headers }
  const { code = failure.code ?? null, ...detail } = meta
  const retryAfter = headers.get("retry-after")
  return {
    success: false,
    status,
    error: failure.error,
    code,
    detail,
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    headers
  }
}

/** `baseUrl`: the API root, which ends in `/v1`. `fetch`: another one than the global. */
export const make = (
  { apiKey, baseUrl, fetch = globalThis.fetch }: {
    readonly baseUrl: string
    readonly apiKey: string
    readonly fetch?: typeof globalThis.fetch
  }
): Client => {
  const send = (endpoint: string, given: object, { headers, signal }: Options) => {
    const [method = "GET", template = "/"] = endpoint.split(" ")
    const left = new Map<string, unknown>(Object.entries(given).filter(([, value]) => value !== undefined))
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(left.get(name) ?? "")
      left.delete(name)
      return encodeURIComponent(value)
    })
    const inBody = method === "POST" && left.size > 0
    const query = new URLSearchParams()
    if (!inBody) { for (const [name, value] of left) query.set(name, String(value)) }
    return fetch(`${baseUrl}${path}${query.size === 0 ? "" : `?${query}`}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(inBody ? { "content-type": "application/json" } : {}),
        ...headers
      },
      ...(inBody ? { body: JSON.stringify(Object.fromEntries(left)) } : {}),
      ...(signal === undefined ? {} : { signal })
    })
  }

  return {
    call: async (endpoint, ...[given = {}, options = {}]) => answerOf(await send(endpoint, given, options))
  }
}
