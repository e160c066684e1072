/** `Organizations` in memory. */
import { Effect, Equal, Layer, Option } from "effect"
import { Organizations } from "../../organization/Organizations.ts"
import { MemoryState } from "../MemoryState.ts"
import { alone } from "../MemoryTransaction.ts"

/** `Organizations` in memory. */
export const layer: Layer.Layer<Organizations, never, MemoryState> = Layer.effect(
  Organizations,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const outcomeOf = (before: unknown, after: unknown) =>
      before === undefined ? "created" : Equal.equals(before, after) ? "unchanged" : "changed"

    return Organizations.of({
      find: Effect.fn("Organizations.find")((orgId) =>
        Effect.sync(() => Option.fromNullishOr(state.organizations.get(orgId)))
      ),
      list: Effect.sync(() =>
        [...state.organizations.values()].sort((left, right) => left.org_id < right.org_id ? -1 : 1)
      ),
      search: Effect.fn("Organizations.search")(({ after, limit, status, text }) =>
        Effect.sync(() => {
          const part = text?.toLowerCase() ?? ""
          return [...state.organizations.values()]
            .filter(({ name, org_id }) => `${org_id}\n${name}`.toLowerCase().includes(part))
            .filter((organization) => status === null || organization.status === status)
            .filter(({ org_id }) => after === null || org_id > after)
            .toSorted((left, right) => left.org_id < right.org_id ? -1 : 1)
            .slice(0, limit)
        })
      ),
      // There is one process, and no other cell.
      movedTo: () => Effect.succeed(null),
      save: Effect.fn("Organizations.save")((organization) =>
        Effect.sync(() => {
          const outcome = outcomeOf(state.organizations.get(organization.org_id), organization)
          state.organizations.set(organization.org_id, organization)
          return outcome
        })
      ),
      setStatus: Effect.fn("Organizations.setStatus")((orgId, status) =>
        Effect.sync(() => {
          const before = state.organizations.get(orgId)
          if (before === undefined) return Option.none()
          const after = { ...before, status }
          state.organizations.set(orgId, after)
          return Option.some(after)
        })
      ),
      members: Effect.fn("Organizations.members")((orgId) => Effect.sync(() => state.members.get(orgId) ?? [])),
      saveMember: Effect.fn("Organizations.saveMember")((orgId, member) =>
        Effect.sync(() => {
          const members = state.members.get(orgId) ?? []
          const before = members.find((each) => each.email.toLowerCase() === member.email.toLowerCase())
          const after = before === undefined ? member : { ...member, memberId: before.memberId }
          state.members.set(
            orgId,
            before === undefined ? [...members, after] : members.map((each) => each === before ? after : each)
          )
          const identity = `${orgId} ${after.memberId}`
          const known = after.status === "removed" ? null : state.identities.get(identity) ?? null
          state.identities.set(identity, known)
          if (before?.status === "removed" || after.status === "removed") {
            state.signInLinks.delete(identity)
            for (const [hash, session] of state.sessions) {
              if (session.orgId === orgId && session.memberId === after.memberId) state.sessions.delete(hash)
            }
          }
          return outcomeOf(before, after)
        })
      ),
      atomically: (effect) => alone(state, effect)
    })
  })
)
