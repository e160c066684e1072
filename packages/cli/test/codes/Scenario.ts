/** How each code is brought about from outside: an organization, a call, and what the answer tells beside the code. */
import type { Client } from "@freehold/http-host/Client"

/** An organization of a scenario's own, as its key and its operator reach it. */
export interface Org {
  readonly orgId: string
  readonly key: string
  /** The REST API. */
  readonly api: Client
  readonly credentialId: string
  /** A call of a tool: the status, whether it was refused, and the result's structured content. */
  readonly tool: (name: string, args: object) => Promise<unknown>
  /** The `freehold` command: its standard error, where it was refused. */
  readonly command: (...args: ReadonlyArray<string>) => Promise<string>
  /** One statement of the database's owner. */
  readonly sql: (statement: string) => Promise<void>
  /** Holds what `statement` locks or changed while `during` runs; `waiting` waits until somebody waits for it. */
  readonly holding: <A>(
    statement: string,
    during: (held: { readonly waiting: () => Promise<void>; readonly terminate: () => Promise<void> }) => Promise<A>
  ) => Promise<A>
}

export interface Scenario {
  /** What differs from the sample organization, in the words of an `apply` document. */
  readonly org?: Readonly<Record<string, unknown>>
  /** What differs from the sample key. */
  readonly key?: Readonly<Record<string, unknown>>
  readonly before?: (org: Org) => Promise<unknown>
  /** The call on REST; the last one made is the one that is refused. */
  readonly rest?: (org: Org) => Promise<unknown>
  /** The call of a tool; answers its structured content. */
  readonly tool?: (org: Org) => Promise<unknown>
  /** Answers what the command says. */
  readonly command?: (org: Org) => Promise<string>
  /** Beside the code; a function is a predicate. */
  readonly detail: object
}

/** A number of whole seconds that a client can wait. */
export const seconds = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1

/** A time as the API writes it. */
export const time = (value: unknown): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
