/** Tells which runs there are, how one stands, and what it found: as far as the caller sees what it is about. */
import { Array, Effect, Option, Schema } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Contacts } from "../contact/Contacts.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import { Uuid } from "../operation/Uuid.ts"
import { recipientOf } from "./Recipient.ts"
import type { GetResearchStatus, ListResearchRuns } from "./ResearchOperations.ts"
import { isActive, type Run, subjectTypes } from "./ResearchRun.ts"
import { ResearchRuns, type RunsWanted } from "./ResearchRuns.ts"
import * as ResearchSubjects from "./ResearchSubjects.ts"
import * as RunSight from "./RunSight.ts"
import { followed, listed } from "./RunView.ts"

type ListInput = (typeof ListResearchRuns)["input"]["Type"]

const defaultPage = 25

/** Runs that are looked at in one step, where many of them are hidden from the caller. */
const mostAtOnce = 500

const isRunId = Schema.is(Uuid)

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const contacts = yield* Contacts
  const subjects = yield* ResearchSubjects.make
  const sightOf = yield* RunSight.make

  /** What was found about a contact, where it may be told. */
  const foundOf = ({ action, items: [item] }: Run, sight: RunSight.RunSight) =>
    item === undefined || isActive(item.state) || subjectTypes[action] !== "contact" || !sight.tells(action, item)
      ? null
      : item

  const status: HandlerOf<typeof GetResearchStatus> = Effect.fn("RunReader.status")(function*(input) {
    const { organization: { org_id: orgId } } = yield* Caller
    const stored = yield* runs.read(orgId, input.run_id.toLowerCase())
    if (Option.isNone(stored)) return yield* new NotFound({ resource: "research run" })
    const sight = yield* sightOf([stored.value])
    const run = sight.seen(stored.value)
    if (run === null) return yield* new NotFound({ resource: "research run" })
    const found = foundOf(run, sight)
    const standing = followed(run, { claims: sight.told(run), nameOf: sight.nameOf })
    if (found === null) return standing
    if (run.action === "find_email") {
      const person = yield* contacts.read(found.subjectId, orgId)
      return {
        ...standing,
        email: Option.match(person, { onNone: () => null, onSome: ({ contact }) => contact.email })
      }
    }
    switch (found.result?._tag) {
      case "Strategy":
        return { ...standing, strategy: found.result.strategy }
      case "Draft": {
        const person = yield* contacts.read(found.subjectId, orgId)
        const to = Option.isSome(person) ? { to: recipientOf(person.value.contact) } : {}
        return { ...standing, draft: found.result.draft, ...to }
      }
      default:
        return standing
    }
  })

  /** What the asked runs are about: one thing at most. */
  const aboutOf = Effect.fnUntraced(function*(
    { contact_id, organization_id, property_id }: ListInput
  ) {
    const [given, ...others] = [contact_id, organization_id, property_id].flatMap((id) => id ?? [])
    if (others.length > 0) return yield* invalid(null, "Expected one of contact_id, organization_id and property_id")
    if (property_id !== undefined) return (yield* subjects.property(property_id)).id
    return given?.toLowerCase() ?? null
  })

  /**
   * The next `limit` runs of which the caller sees something. What is hidden is read past within the call, in steps that
   * grow: a page that ended at a hidden run would tell of it, by its place and by its cursor.
   */
  const seenRuns = Effect.fnUntraced(function*({ before, limit, ...wanted }: RunsWanted) {
    const { organization: { org_id: orgId } } = yield* Caller
    const seen: Array<{ readonly run: Run; readonly sight: RunSight.RunSight }> = []
    for (let after = before, step = limit;; step = Math.min(2 * step, mostAtOnce)) {
      const looked = yield* runs.list(orgId, { ...wanted, before: after, limit: step })
      const sight = yield* sightOf(looked)
      for (const each of looked) {
        const run = sight.seen(each)
        if (run !== null) seen.push({ run, sight })
      }
      const last = looked.at(-1)
      if (last === undefined || looked.length < step || seen.length >= limit) return seen.slice(0, limit)
      after = last.runId
    }
  })

  /** Why no run is listed: the same whether there is none or none that the caller may be told of. */
  const nothingListed = Effect.fnUntraced(function*({ cursor: _, limit: __, ...asked }: ListInput) {
    for (const key of ["contact_id", "organization_id"] as const) {
      const id = asked[key]
      if (id !== undefined && Option.isSome(yield* Effect.option(subjects.property(id)))) {
        return [`${key} is the id of a property: send it as property_id.`]
      }
    }
    const keys = Object.keys(asked)
    return [
      keys.length === 0 ? "Nothing that you see was researched yet." : `No run that you see fits ${keys.join(", ")}.`
    ]
  })

  const list: HandlerOf<typeof ListResearchRuns> = Effect.fn("RunReader.list")(function*(input) {
    const caller = yield* Caller
    const { cursor } = input
    if (cursor !== undefined && !isRunId(cursor)) return yield* InvalidCursor.refuse()
    const aboutId = yield* aboutOf(input)
    const limit = input.limit ?? defaultPage
    const found = yield* seenRuns({
      action: input.action ?? null,
      aboutId,
      actorId: input.mine === true ? Acting.actor(caller).id : null,
      before: cursor?.toLowerCase() ?? null,
      limit: limit + 1
    })
    const page = found.slice(0, limit)
    return {
      runs: page.map(({ run, sight }) => listed(run, foundOf(run, sight)?.result ?? null, sight.told(run))),
      next_cursor: found.length > limit ? Option.getOrNull(Option.map(Array.last(page), ({ run }) => run.runId)) : null,
      ...noting(page.length === 0 && cursor === undefined ? yield* nothingListed(input) : [])
    }
  })

  return { status, list }
})
