/** How each code is brought about from outside: an organization, a call, and what the answer tells beside the code. */
import type { Client } from "@freehold/http-host/Client"
import type { Issuer } from "../Issuer.ts"
import type { Unknown } from "./EmbeddedHost.ts"

export interface ToolAnswer {
  /** The status. */
  readonly http: number
  readonly isError: boolean
  /** The structured content. */
  readonly content: ReturnType<typeof JSON.parse>
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
  readonly elsewhere: <A>(unknown: Unknown, call: (api: Client) => Promise<A>) => Promise<A>
}

export interface Scenario {
  /** What differs from the sample organization, in the words of an `apply` document. */
  readonly org?: Readonly<Record<string, unknown>>
  /** What differs from the sample key. */
  readonly key?: Readonly<Record<string, unknown>>
  /** What differs from an ordinary member; undefined: the organization has none. */
  readonly member?: Readonly<Record<string, unknown>>
  readonly before?: (org: Org) => Promise<unknown>
  /** The call on REST; the last one made is the one that is refused. */
  readonly rest?: (org: Org) => Promise<unknown>
  /** The call of a tool; answers its structured content. */
  readonly tool?: (org: Org) => Promise<ToolAnswer>
  /** Answers what the command says. */
  readonly command?: (org: Org) => Promise<string>
  /** Beside the code; a function is a predicate. */
  readonly detail: object
}

/** A number of whole seconds that a client can wait. */
export const seconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1

/** A time as the API writes it. */
export const time = (value: unknown): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
