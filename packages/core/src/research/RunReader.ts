/**
 * Tells how a run stands, and what it found.
 *
 * A member with a territory is told of the items about what lies in it, as if the run had no others. What was found about a
 * person and a property is told to whoever sees both, as long as the person is open to the organization.
 */
import { Array, Effect, Option } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Contacts, type ContactStanding } from "../contact/Contacts.ts"
import { isRevealed, rightsOf } from "../contact/ContactView.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { Firms } from "../firm/Firms.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import type { GetResearchStatus, ListRuns } from "./ResearchOperations.ts"
import { isActive, type ResearchAction, type Run, type RunItem, subjectTypes } from "./ResearchRun.ts"
import { ResearchRuns, type RunPosition } from "./ResearchRuns.ts"
import { followed, listed } from "./RunView.ts"

/** What is about a person and one property. */
const isAboutBoth = (action: ResearchAction): boolean => action === "deep_research_contact" || action === "draft_email"

const defaultRuns = 20

/** What a member sees of the runs of a page is looked up side by side. */
const sideBySide = 4

/** A position among the organization's own runs, which a made-up one only reads. */
const cursorOf = ({ createdAt, runId }: RunPosition): string => `${createdAt}.${runId}`

const positionOf = (cursor: string): RunPosition | null => {
  const [, at, runId] = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? []
  return at === undefined || runId === undefined ? null : { createdAt: Number(at), runId }
}

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const contacts = yield* Contacts
  const firms = yield* Firms

  /** Those of the properties that the caller sees, retired or not. */
  const seenProperties = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const caller = yield* Caller
    const found = yield* runs.candidates(caller.organization.org_id, ids.map((id) => ({ _tag: "Id", id })))
    return new Set(found.filter(({ countyFips }) => Territory.sees(caller, countyFips)).map(({ id }) => id))
  })

  const seenContact = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* contacts.read(id, caller.organization.org_id)
    return Option.filter(found, (standing) => rightsOf(standing, caller).visible)
  })

  const seesFirm = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* firms.ties(id, viewerOf(caller))
    return Option.exists(found, ({ ties }) => ties.some((tie) => Territory.sees(caller, tie.countyFips)))
  })

  /** Whether the caller sees the property of what is about a person and a property; before there was one, it was any. */
  const seesPlace = Effect.fnUntraced(function*(action: ResearchAction, { propertyId }: RunItem) {
    if (!isAboutBoth(action)) return true
    if (propertyId === null) return (yield* Caller).territory === null
    return (yield* seenProperties([propertyId])).has(propertyId)
  })

  /** The items that a member sees. */
  const seenItems = Effect.fnUntraced(function*({ action, items }: Run) {
    switch (subjectTypes[action]) {
      case "property": {
        const seen = yield* seenProperties(items.map(({ subjectId }) => subjectId))
        return items.filter(({ subjectId }) => seen.has(subjectId))
      }
      case "contact":
        return yield* Effect.filter(items, (item) =>
          Effect.gen(function*() {
            return Option.isSome(yield* seenContact(item.subjectId)) && (yield* seesPlace(action, item))
          }))
      case "organization":
        return yield* Effect.filter(items, ({ subjectId }) => seesFirm(subjectId))
    }
  })

  /** The run as far as the caller sees it. Whoever sees all of the organization's area may follow each of its runs. */
  const seenRun = Effect.fnUntraced(function*(runId: string) {
    const { organization, territory } = yield* Caller
    const found = yield* runs.read(organization.org_id, runId)
    if (Option.isNone(found)) return yield* new NotFound({ resource: "research run" })
    if (territory === null) return found.value
    const items = yield* seenItems(found.value)
    return Array.isReadonlyArrayNonEmpty(items)
      ? { ...found.value, items }
      : yield* new NotFound({ resource: "research run" })
  })

  const isOpenTo = (standing: ContactStanding) => Caller.useSync((caller) => isRevealed(rightsOf(standing, caller)))

  /** What was found about a contact. */
  const foundOf = Effect.fnUntraced(function*({ action, items: [item] }: Run) {
    if (item === undefined || isActive(item.state) || subjectTypes[action] !== "contact") return {}
    const standing = yield* seenContact(item.subjectId)
    if (Option.isNone(standing) || !(yield* isOpenTo(standing.value)) || !(yield* seesPlace(action, item))) return {}
    if (action === "find_email") return { email: standing.value.contact.email }
    if (item.result === null) return {}
    return item.result._tag === "Strategy" ? { strategy: item.result.strategy } : { draft: item.result.draft }
  })

  const status: HandlerOf<typeof GetResearchStatus> = Effect.fn("RunReader.status")(function*(input) {
    const run = yield* seenRun(input.run_id.toLowerCase())
    return { ...followed(run), ...yield* foundOf(run) }
  })

  const list: HandlerOf<typeof ListRuns> = Effect.fn("RunReader.list")(function*(input) {
    const caller = yield* Caller
    const after = input.cursor === undefined ? null : positionOf(input.cursor)
    if (after === null && input.cursor !== undefined) return yield* InvalidCursor.refuse()
    const limit = input.limit ?? defaultRuns
    const found = yield* runs.page(caller.organization.org_id, {
      action: input.action ?? null,
      actorId: input.mine === true ? Acting.actor(caller).id : null,
      after,
      limit: limit + 1
    })
    const page = found.slice(0, limit)
    const seen = caller.territory === null
      ? page
      : yield* Effect.forEach(page, (run) => Effect.map(seenItems(run), (items) => ({ ...run, items })), {
        concurrency: sideBySide
      })
    const last = page.at(-1)
    return {
      runs: seen.flatMap(listed),
      next_cursor: found.length > limit && last !== undefined ? cursorOf(last) : null
    }
  })

  return { status, list }
})
