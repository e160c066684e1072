/** Reads recorded changes: of one subject that the caller sees, or of the whole area. */
import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Contacts } from "../contact/Contacts.ts"
import { rightsOf } from "../contact/ContactView.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import { Properties } from "../property/Properties.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import type { GetChanges } from "./ChangeOperations.ts"
import { type ChangePosition, Changes, type ChangeSubject, type ListedChange } from "./Changes.ts"
import { evidenceOf } from "./Evidence.ts"
import { SignalKind } from "./SignalKind.ts"

type Input = (typeof GetChanges)["input"]["Type"]

const day = 86_400_000
const defaultDays = 30
const defaultLimit = 50

/** From when on the first page began, and the last change that was shown. */
const Position = Schema.Tuple([Schema.Finite, Schema.String, PageCursor.ShortId])

const isKind = Schema.is(SignalKind)

const kindsOf = Effect.fnUntraced(function*(given: Input["kinds"]) {
  if (given === undefined) return SignalKind.literals
  const listed = typeof given === "string" ? given.split(",").map((name) => name.trim()) : given
  const names = Array.from(new Set(listed))
  const kinds = names.filter(isKind)
  return kinds.length === names.length
    ? kinds
    : yield* invalid("kinds", `Expected some of ${SignalKind.literals.join(", ")}`)
})

const nothingSince = (since: number, subject: ChangeSubject | null, kinds: Input["kinds"]): string =>
  `Nothing${kinds === undefined ? "" : " of these kinds"} changed${
    subject === null ? "" : " about it"
  } that you see since ${DateTime.formatIso(DateTime.makeUnsafe(since))}; days and since reach further back.`

export const make = Effect.gen(function*() {
  const changes = yield* Changes
  const contacts = yield* Contacts
  const cursors = yield* PageCursor.make(Position)
  const properties = yield* Properties
  const visible = yield* VisibleProperty.make

  const subjectOf = Effect.fnUntraced(function*(input: Input) {
    const caller = yield* Caller
    const { organization } = caller
    if (input.property_id !== undefined && input.contact_id !== undefined) {
      return yield* invalid("contact_id", "Expected property_id or contact_id, not both")
    }
    if (input.property_id !== undefined) {
      const found = yield* properties.standing(PropertyRef.parse(input.property_id), organization.org_id)
      const { id } = yield* visible(found, caller)
      return { type: "property", id } satisfies ChangeSubject
    }
    if (input.contact_id === undefined) return null
    const id = input.contact_id.toLowerCase()
    const found = yield* contacts.read(id, organization.org_id)
    return Option.isSome(found) && rightsOf(found.value, caller).visible
      ? { type: "contact", id } satisfies ChangeSubject
      : yield* new NotFound({ resource: "contact" })
  })

  /** From when on, and after which one. */
  const startOf = Effect.fnUntraced(function*(
    input: Input,
    question: PageCursor.Question,
    now: number
  ) {
    if (input.since !== undefined && input.days !== undefined) {
      return yield* invalid("days", "Expected since or days, not both")
    }
    const position = yield* cursors.open(input.cursor, question)
    if (position === null) {
      const since = input.since === undefined ? now - (input.days ?? defaultDays) * day : Date.parse(input.since)
      return { since, after: null }
    }
    const [since, detectedAt, signalId] = position
    return { since, after: { detectedAt, signalId } satisfies ChangePosition }
  })

  const list: HandlerOf<typeof GetChanges> = Effect.fn("ChangeReader.list")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    if (!organization.features.signals) {
      return yield* new SignalsNotEnabled({
        issues: [{ field: null, message: "Change events are not switched on for your organization" }]
      })
    }
    const kinds = yield* kindsOf(input.kinds)
    const subject = yield* subjectOf(input)
    const now = yield* Clock.currentTimeMillis
    const question = ["changes", organization.org_id, subject, kinds.toSorted()]
    const { after, since } = yield* startOf(input, question, now)
    const limit = input.limit ?? defaultLimit
    const found = yield* changes.list({
      orgId: organization.org_id,
      visible: Territory.visible(caller),
      subject,
      kinds,
      since,
      after,
      limit: limit + 1
    })
    const page = yield* cursors.page(found, {
      limit,
      question,
      position: ({ position: { detectedAt, signalId } }: ListedChange) => [since, detectedAt, signalId] as const
    })
    return {
      changes: page.rows.map((change) => ({
        event_id: change.eventId,
        signal_id: change.signalId,
        kind: change.kind,
        subject: change.subject,
        detected_at: change.detectedAt,
        source: change.source,
        withdrawn: change.withdrawn,
        evidence: evidenceOf(change, organization)
      })),
      next_cursor: page.next,
      ...noting(found.length === 0 && after === null ? [nothingSince(since, subject, input.kinds)] : [])
    }
  })

  return { list }
})
