/** How each code is brought about from outside: an organization, a call, and what the answer tells beside the code. */
import type { Client } from "@freehold/http-host/Client"
import type { NextStep } from "@freehold/mcp-host/RefusedCall"
import type { Issuer } from "../Issuer.ts"
import type { Unknown } from "./EmbeddedHost.ts"

/** A call of a tool that was answered. */
export interface ToolAnswer {
  /** The tool, and what it was asked. */
  readonly tool: string
  readonly args: object
  /** Another call by the same caller. */
  readonly call: Org["tool"]
  /** The status. */
  readonly http: number
  readonly isError: boolean
  /** The structured content. */
  readonly content: ReturnType<typeof JSON.parse>
}

/** What came instead of JSON-RPC. */
export interface EntranceAnswer {
  readonly http: number
  readonly body: ReturnType<typeof JSON.parse>
}

/** An organization of a scenario's own, as its key and its operator reach it. */
export interface Org {
  readonly orgId: string
  /** The REST API. */
  readonly api: Client
  /** The same, for calls beside the one that the scenario is about. */
  readonly aside: Client
  readonly credentialId: string
  /** A call of a tool: the status, whether it was refused, and the result's structured content. */
  readonly tool: (name: string, args: object) => Promise<ToolAnswer>
  /** A request to the endpoint of the tools that is not let in: what comes instead of JSON-RPC. */
  readonly enter: () => Promise<EntranceAnswer>
  /** The `freehold` command: its standard error, where it was refused. */
  readonly command: (...args: ReadonlyArray<string>) => Promise<string>
  /** Holds what `statement` locks or changed while `during` runs; `waiting` waits until somebody waits for it. */
  readonly holding: <A>(
    statement: string,
    during: (held: { readonly waiting: () => Promise<void> }) => Promise<A>
  ) => Promise<A>
  /** Makes the call wait for a table, and then cuts its connection to the database. */
  readonly cutOff: <A>(table: string, call: () => Promise<A>) => Promise<A>
  /** The address of the scenario's member. */
  readonly email: string
  /** The same organization, called by its member through an assistant. */
  readonly signIn: (given?: Parameters<Issuer["token"]>[1]) => Promise<Org>
  /** Calls a host inside another application, which cannot tell about the account. */
  readonly elsewhere: <A>(unknown: Unknown, call: (there: Pick<Org, "api" | "enter">) => Promise<A>) => Promise<A>
}

/** What is told to do next: the same whatever is asked, or by what was asked and told. */
export type Expected = NextStep | ((told: Pick<ToolAnswer, "content" | "args">) => NextStep)

interface AnyScenario {
  /** What differs from the sample organization, in the words of an `apply` document. */
  readonly org?: Readonly<Record<string, unknown>>
  /** What differs from the sample key. */
  readonly key?: Readonly<Record<string, unknown>>
  /** What differs from an ordinary member; undefined: the organization has none. */
  readonly member?: Readonly<Record<string, unknown>>
  readonly before?: (org: Org) => Promise<unknown>
  /** The call on REST; the last one made is the one that is refused. */
  readonly rest?: (org: Org) => Promise<unknown>
  /** Answers what the command says. */
  readonly command?: (org: Org) => Promise<string>
  /** Beside the code; a function is a predicate. */
  readonly detail: object
}

/** Of a code that an assistant is told: with the next step, all of it. */
interface Assisted extends AnyScenario {
  /** The call of a tool; answers its structured content. */
  readonly tool?: (org: Org) => Promise<ToolAnswer>
  /** The request that is not let in to the tools. */
  readonly entrance?: (org: Org) => Promise<EntranceAnswer>
  readonly next: Expected
}

interface Unassisted extends AnyScenario {
  readonly tool?: never
  readonly entrance?: never
  readonly next?: never
}

export type Scenario = Assisted | Unassisted

/** The same call, after as long as the detail says. */
export const later: Expected = ({ content }) => ({ retry_after_seconds: content.retryAfterSeconds })

/** A number of whole seconds that a client can wait. */
export const seconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1

/** A time as the API writes it. */
export const time = (value: unknown): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
