/** Reads recorded changes: of one subject that the caller sees, or of the whole area. */
import { Clock, Effect, Option, Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Contacts } from "../contact/Contacts.ts"
import { rightsOf } from "../contact/ContactView.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { CursorSeal, parsePayload } from "../operation/CursorSeal.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { Properties } from "../property/Properties.ts"
import { visible } from "../property/PropertyReader.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import type { GetChanges } from "./ChangeOperations.ts"
import { type ChangePosition, Changes, type ChangeSubject, type ListedChange } from "./Changes.ts"
import { evidenceOf } from "./Evidence.ts"
import { SignalKind } from "./SignalKind.ts"

type Input = (typeof GetChanges)["input"]["Type"]

const day = 86_400_000
const defaultDays = 30
const defaultLimit = 50
const cursorLife = day

/** What the rest of the pages must ask like the first one. */
const Payload = Schema.Struct({
  v: Schema.Literal("changes.1"),
  org: Schema.String,
  subject: Schema.NullOr(Schema.String),
  kinds: Schema.Array(SignalKind),
  since: Schema.Finite,
  position: Schema.Tuple([Schema.String, Schema.String]),
  at: Schema.Finite
})
const parse = parsePayload(Payload)

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

const keyOf = (subject: ChangeSubject | null): string | null =>
  subject === null ? null : `${subject.type} ${subject.id}`

const sameKinds = (left: ReadonlyArray<SignalKind>, right: ReadonlyArray<SignalKind>): boolean =>
  left.length === right.length && left.every((kind) => right.includes(kind))

export const make = Effect.gen(function*() {
  const changes = yield* Changes
  const contacts = yield* Contacts
  const cursors = yield* CursorSeal
  const properties = yield* Properties

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
    asked: { readonly org: string; readonly subject: string | null; readonly kinds: ReadonlyArray<SignalKind> },
    now: number
  ) {
    if (input.since !== undefined && input.days !== undefined) {
      return yield* invalid("days", "Expected since or days, not both")
    }
    if (input.cursor === undefined) {
      const since = input.since === undefined ? now - (input.days ?? defaultDays) * day : Date.parse(input.since)
      return { since, after: null }
    }
    const opened = Option.flatMap(yield* cursors.open(input.cursor), (text) => parse(text))
    const fits = Option.filter(
      opened,
      (payload) =>
        payload.org === asked.org && payload.subject === asked.subject && sameKinds(payload.kinds, asked.kinds) &&
        now < payload.at + cursorLife
    )
    if (Option.isNone(fits)) return yield* InvalidCursor.refuse()
    const { position: [detectedAt, signalId], since } = fits.value
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
    const asked = { org: organization.org_id, subject: keyOf(subject), kinds }
    const { after, since } = yield* startOf(input, asked, now)
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
    const page = found.slice(0, limit)
    const last = page.at(-1)?.position
    const more = last !== undefined && found.length > limit
    return {
      changes: page.map((change: ListedChange) => ({
        event_id: change.eventId,
        signal_id: change.signalId,
        kind: change.kind,
        subject: change.subject,
        detected_at: change.detectedAt,
        source: change.source,
        withdrawn: change.withdrawn,
        evidence: evidenceOf(change, organization)
      })),
      next_cursor: more
        ? yield* cursors.seal(JSON.stringify(
          {
            v: "changes.1",
            ...asked,
            since,
            position: [last.detectedAt, last.signalId],
            at: now
          } satisfies typeof Payload.Type
        ))
        : null
    }
  })

  return { list }
})
