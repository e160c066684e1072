/**
 * An operation: what a caller can ask for, defined once as a value.
 *
 * From this one value come the handler's type, the REST endpoint, the MCP tool with its JSON Schema and annotations,
 * and the check for unknown keys. A host adds only what is its own (path, status, envelope; or JSON-RPC).
 *
 * *Gotchas.* Handlers answer in the wire shape (`Output["Encoded"]`), so that large results are not encoded a second
 * time. Tests check that every answer fits `output`.
 */
import type { Schema } from "effect"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Plan } from "./Plan.ts"
import type { Scope } from "./Scope.ts"
import type { TemporarilyUnavailable } from "./TemporarilyUnavailable.ts"

/** A refusal class: its `_tag` is the stable machine code of the specification, its fields are the typed detail. */
export interface RefusalClass {
  new(...args: ReadonlyArray<never>): { readonly _tag: string; readonly message: string }
  /** The code. */
  readonly identifier: string
  readonly fields: Schema.Struct.Fields
}

/** Who may call. `scope: null` means any live key; `plan` is the lowest plan that has the operation. */
export interface Access {
  readonly scope: Scope | null
  readonly plan: Plan
  /** Whether a person may, must or cannot stand behind the call. */
  readonly person: "allowed" | "required" | "refused"
  /** The word for `feature` in UPGRADE_REQUIRED. */
  readonly feature: "apiAccess" | "recordsAllowance"
  /** The part of the service that the organization's plan must have, FEATURE_GATED otherwise. null: none. */
  readonly gate: "enrichments" | "lists" | "pipeline" | null
  /** A scope that the tool needs besides `mcp`, SCOPE_REQUIRED otherwise. null: none. */
  readonly toolScope: Scope | null
  /**
   * Whom the app offers it: whoever has a seat (`oneself`: whoever only reads too, since it changes nothing but what is
   * their own), admins, or nobody, where it is for machines alone. Neither scope nor plan
   * binds there. decisions, section 21.
   */
  readonly app: "members" | "oneself" | "admins" | "nobody"
}

/** What a call can do: `read` changes nothing, `meter` counts, `spend` may charge credits, `write` changes state. */
export type OperationEffect = "read" | "meter" | "spend" | "write"

/** What a call keeps busy: records by their id, whatever takes long to read, what is stored, research. `load/Workload` bounds each. */
export type Work = "point" | "read" | "write" | "research"

export interface Operation<
  Name extends string,
  Input extends Schema.Codec<unknown, unknown>,
  Output extends Schema.Codec<unknown, unknown>,
  Refusals extends ReadonlyArray<RefusalClass>
> {
  readonly name: Name
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  readonly refusals: Refusals
  readonly access: Access
  readonly effect: OperationEffect
  /** What it keeps busy: how many run at once, and for how long. */
  readonly work: Work
  /** Its endpoint is an addition to the specification, whose clients do not know it. The contract marks it. */
  readonly extension: boolean
  /** Whether assistants are offered it as a tool; what is false belongs to REST alone. decisions, section 14. */
  readonly tool: boolean
}

export interface AnyOperation extends
  Operation<
    string,
    Schema.Codec<unknown, unknown>,
    Schema.Codec<unknown, unknown>,
    ReadonlyArray<RefusalClass>
  >
{}

/** What an operation keeps busy unless it says otherwise: reads may take their time, decisions about money do not. */
const usualWork: Readonly<Record<OperationEffect, Work>> = {
  read: "read",
  meter: "read",
  spend: "point",
  write: "write"
}

/**
 * Defines an operation. The name is the MCP tool's name; one of the app's alone begins with `app_`, one of the operator's area
 * with `operator_`.
 */
export const make = <
  const Name extends `service_${string}` | `app_${string}` | `operator_${string}`,
  Input extends Schema.Codec<unknown, unknown>,
  Output extends Schema.Codec<unknown, unknown>,
  const Refusals extends ReadonlyArray<RefusalClass>
>(
  name: Name,
  definition: Omit<Operation<Name, Input, Output, Refusals>, "name" | "access" | "work" | "extension" | "tool"> & {
    readonly access: Pick<Access, "scope" | "plan"> & Partial<Access>
    readonly work?: Work
    readonly extension?: true
    readonly tool?: false
  }
): Operation<Name, Input, Output, Refusals> => ({
  extension: false,
  tool: true,
  work: usualWork[definition.effect],
  ...definition,
  name,
  access: { feature: "apiAccess", gate: null, person: "allowed", toolScope: null, app: "members", ...definition.access }
})

/** What any operation may be refused with, besides its own list. */
export type CommonRefusal = InvalidInput | TemporarilyUnavailable

export type RefusalOf<Op extends AnyOperation> = InstanceType<Op["refusals"][number]> | CommonRefusal
