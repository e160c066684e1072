/**
 * Who stands behind a call: nobody but a key, or a member with a seat and a role.
 *
 * | caller               | tool                  | refusal                   |
 * | -------------------- | --------------------- | ------------------------- |
 * | member without seat  | any                   | NO_ACTIVE_SEAT            |
 * | member               | takes keys only       | ACTING_USER_NOT_SUPPORTED |
 * | read-only member     | writes or spends      | ROLE_NOT_PERMITTED        |
 * | key                  | needs a person        | ACTING_USER_REQUIRED      |
 *
 * Whom the app offers an operation: `AppDoor`. service-api "Per-user connection for MCP", decisions section 14.
 */
import { Result } from "effect"
import type { AnyOperation } from "../operation/Operation.ts"
import type { Scope } from "../operation/Scope.ts"
import type { Member } from "../organization/Organizations.ts"
import {
  ActingUserNotSupported,
  ActingUserRequired,
  NoActiveSeat,
  RoleNotPermitted,
  ScopeRequired
} from "./AccessRefusals.ts"
import type { CallerFacts } from "./Caller.ts"
import type { EntryActor } from "./EntryActor.ts"

/** Why a tool is not for whoever calls it. */
export type ActingRefusal = NoActiveSeat | ActingUserNotSupported | RoleNotPermitted | ActingUserRequired

/** The person behind the call; null: a key, which is nobody's. */
export const member = (caller: CallerFacts): Member | null => caller.kind === "key" ? null : caller.member

/** The caller as the author of what it does: of ledger entries, events, moves and lists. */
export const actor = (caller: CallerFacts): EntryActor & { readonly kind: "key" | "member" } =>
  caller.kind === "key"
    ? { kind: "key", id: caller.credentialId, name: caller.keyName }
    : { kind: "member", id: caller.member.memberId, name: caller.member.name }

/**
 * Whether a machine makes the call (`by_agent`): a key and a member's assistant both are one, a member in the app is not.
 * What a machine does is counted by the limits of levels 2 and 3. decisions, section 21.
 */
export const isAgent = ({ kind }: Pick<CallerFacts, "kind">): boolean => kind !== "member"

/** What of an operation decides for whom it is, as a tool. */
type Asked = Pick<AnyOperation, "access" | "effect">

/** The scope that the operation, as a tool, needs besides `mcp` and the caller has not; null: there is none. */
const missingScope = ({ scopes }: CallerFacts, { access: { toolScope } }: Pick<Asked, "access">): Scope | null =>
  toolScope === null || scopes.includes(toolScope) ? null : toolScope

/** Whether the caller has the scope that the operation, as a tool, needs besides `mcp`. */
export const permitScope = (caller: CallerFacts, asked: Pick<Asked, "access">): Result.Result<void, ScopeRequired> => {
  const scope = missingScope(caller, asked)
  return scope === null
    ? Result.succeed(undefined)
    : Result.fail(new ScopeRequired({ scope, granted_by: caller.kind === "key" ? "admin" : "sign_in" }))
}

/** What makes the refusal of an operation that is not for the caller, as a tool; null: it is. */
const obstacle = (caller: CallerFacts, { access, effect }: Asked): (() => ActingRefusal) | null => {
  if (caller.kind === "key") return access.person === "required" ? () => new ActingUserRequired() : null
  const { role, seat } = caller.member
  if (!seat) return () => new NoActiveSeat()
  if (access.person === "refused") return () => new ActingUserNotSupported()
  return role === "read_only" && (effect === "write" || effect === "spend")
    ? () => new RoleNotPermitted({ role })
    : null
}

/** Whether the operation, as a tool, is for this caller. */
export const permits = (caller: CallerFacts, asked: Asked): Result.Result<void, ActingRefusal> => {
  const refusal = obstacle(caller, asked)
  return refusal === null ? Result.succeed(undefined) : Result.fail(refusal())
}

/** Whether both `permits` and `permitScope` let the caller; makes no refusal, which costs as much as all else of a list. */
export const isFor = (caller: CallerFacts, asked: Asked): boolean =>
  obstacle(caller, asked) === null && missingScope(caller, asked) === null
