/** `Suppressions` in memory: what is recorded is read by `Listed`. */
import { Clock, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Contact } from "../../contact/Contact.ts"
import type { Result } from "../../research/ResearchRun.ts"
import { isNamedIn } from "../../suppression/NamedWords.ts"
import { ownerNameKey } from "../../suppression/OwnerName.ts"
import {
  type Suppression,
  type SuppressionChange,
  Suppressions,
  type SuppressionSubject
} from "../../suppression/Suppressions.ts"
import { withdrawalOf } from "../change/ChangeFacts.ts"
import { recordEvent } from "../event/EventRecord.ts"
import { isoOf } from "../IsoTime.ts"
import { listedProperty } from "../Listed.ts"
import { MemoryState, type State, type StoredChange } from "../MemoryState.ts"
import { survivorOf } from "../property/Survivor.ts"

/** A retired record stands for its survivor. */
const propertyNamed = (state: State, named: string) =>
  survivorOf(
    state,
    (state.properties.get(named) ?? [...state.properties.values()].find(({ key }) => key === named))?.id
  )

const mergedInto = (state: State, id: string): ReadonlyArray<string> =>
  [...state.properties.values()].filter(({ retiredInto }) => retiredInto === id).map((property) => property.id)

const viewOf = (state: State, kind: Suppression["kind"], id: string, at: number): Suppression => ({
  kind,
  id: kind === "owner" ? null : id,
  key: kind === "property" ? state.properties.get(id)?.key ?? null : null,
  name: kind === "owner" ? state.suppressedOwners.get(id)?.name ?? null : null,
  at: isoOf(at)
})

/** Under what the subject is, or would be, recorded. */
const placeOf = (state: State, subject: SuppressionSubject) => {
  switch (subject._tag) {
    case "Contact":
      return state.contacts.has(subject.named) ? { kind: "contact", id: subject.named } as const : null
    case "Property": {
      const property = propertyNamed(state, subject.named)
      return property === undefined ? null : { kind: "property", id: property.id } as const
    }
    case "Owner":
      return { kind: "owner", id: ownerNameKey(subject.name), name: subject.name } as const
  }
}

type Place = NonNullable<ReturnType<typeof placeOf>>

const withheldProperties = (state: State): number =>
  [...state.properties.values()].filter((property) => {
    const listed = listedProperty(state, property)
    return listed.ownerWithheld || listed.beneficialOwnerWithheld
  }).length

/** Whether a change tells of the suppressed one; also of what was merged into it, whose record may have been loaded since. */
const tellsOf = (state: State, change: StoredChange, place: Place): boolean => {
  switch (place.kind) {
    case "contact":
      return change.contactId === place.id
    case "property":
      return change.kind === "ownership_transfer" && survivorOf(state, change.propertyId)?.id === place.id
    case "owner":
      return change.kind === "ownership_transfer" && [change.before, change.after].some((side) => {
        const name = side?.["value"]
        return typeof name === "string" && ownerNameKey(name) === place.id
      })
  }
}

/** Tells those who may have been sent such a change to remove it, and forgets what was written to them. `ids`: as many as there are events. */
export const tellToRemove = (
  state: State,
  place: Place,
  ids: ReadonlyArray<string>,
  now: number
): void => {
  const told = new Set(state.changes.filter((change) => tellsOf(state, change, place)).map(({ id }) => id))
  const sent = [...state.events.values()].filter((event) =>
    event.changeId !== undefined && event.changeId !== null && told.has(event.changeId) &&
    event.type !== "signal.withdrawn" && event.status === "fanned_out" &&
    ![...state.events.values()].some(({ withdrawsEventId }) => withdrawsEventId === event.id)
  )
  sent.forEach((event, index) => {
    const id = ids[index]
    if (id !== undefined) recordEvent(state, withdrawalOf(event, id, "suppressed", now), now)
    for (const delivery of state.deliveries.values()) {
      if (delivery.eventId === event.id) state.deliveries.set(delivery.id, { ...delivery, data: null })
    }
  })
}

/** Whether a text has the email or the id of the person in it, or names them. */
const speaksOf = (text: string, { email, fullName, id }: Contact): boolean =>
  [email, id].some((word) => word !== null && text.toLowerCase().includes(word.toLowerCase())) ||
  isNamedIn(text, fullName)

/** JSON has the end of a line as two characters. */
const tellsOfPerson = (result: Result | null, person: Contact): boolean =>
  result !== null && speaksOf(JSON.stringify(result).replaceAll("\\n", " "), person)

/** Removes what is known of a person but for the id. */
const forgetPerson = (state: State, person: Contact): void => {
  state.contacts.set(person.id, {
    ...person,
    fullName: "(erased)",
    title: null,
    roleType: null,
    seniority: "unknown",
    employerName: null,
    employerDomain: null,
    firmId: null,
    firmName: null,
    email: null,
    phone: null,
    phoneLabel: null,
    phoneExtension: null,
    linkedinUrl: null,
    location: null
  })
  const ties = state.propertyContacts.filter(({ contactId }) => contactId !== person.id)
  state.propertyContacts.splice(0, state.propertyContacts.length, ...ties)
  for (const [index, change] of state.changes.entries()) {
    if (change.contactId === person.id) state.changes[index] = { ...change, before: null, after: null }
  }
  for (const [id, property] of state.properties) {
    const { research } = property
    const rationale = research?.aiRationale ?? null
    if (research !== null && rationale !== null && speaksOf(rationale, person)) {
      state.properties.set(id, { ...property, research: { ...research, aiRationale: null } })
    }
  }
  for (const [id, run] of state.researchRuns) {
    const items = run.items.map((item) =>
      item.subjectId === person.id || tellsOfPerson(item.result, person) ? { ...item, result: null } : item
    )
    state.researchRuns.set(id, { ...run, items })
  }
}

/** Forgets what is kept of reveals, as the database does, where what is kept cannot be searched for the person. */
const forgetReveals = (state: State): void => {
  for (const [key, { operation }] of state.idempotentAnswers) {
    if (operation === "service_reveal_contact") state.idempotentAnswers.delete(key)
  }
}

/** `Suppressions` in memory. */
export const layer: Layer.Layer<Suppressions, never, MemoryState | SecureRandom.SecureRandom> = Layer.effect(
  Suppressions,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const random = yield* SecureRandom.SecureRandom
    const recordedAt = { contact: state.suppressedContacts, property: state.suppressedProperties }

    const change = (
      place: Place,
      act: () => void,
      outcome: SuppressionChange["outcome"],
      suppression: () => Suppression
    ): SuppressionChange => {
      const before = withheldProperties(state)
      const shown = outcome === "lifted" ? suppression() : undefined
      act()
      const ties = state.propertyContacts.filter(({ contactId }) => contactId === place.id).length
      return {
        outcome,
        suppression: shown ?? suppression(),
        properties: place.kind === "contact" ? ties : Math.abs(withheldProperties(state) - before)
      }
    }

    const atOf = (place: Place): number | undefined =>
      place.kind === "owner" ? state.suppressedOwners.get(place.id)?.at : recordedAt[place.kind].get(place.id)

    return Suppressions.of({
      suppress: Effect.fn("Suppressions.suppress")(function*(subject) {
        const now = yield* Clock.currentTimeMillis
        const ids = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), state.events.size))
        return yield* Effect.sync(() => {
          const place = placeOf(state, subject)
          if (place === null) return Option.none()
          const known = atOf(place)
          if (known !== undefined) {
            const suppression = viewOf(state, place.kind, place.id, known)
            return Option.some({ outcome: "unchanged", suppression, properties: 0 } as const)
          }
          const changed = change(
            place,
            () => {
              if (place.kind === "owner") state.suppressedOwners.set(place.id, { name: place.name, at: now })
              else recordedAt[place.kind].set(place.id, now)
            },
            "created",
            () => viewOf(state, place.kind, place.id, now)
          )
          tellToRemove(state, place, ids, now)
          if (place.kind === "contact") forgetReveals(state)
          return Option.some(changed)
        })
      }),
      lift: Effect.fn("Suppressions.lift")((subject) =>
        Effect.sync(() => {
          const place = placeOf(state, subject)
          const at = place === null ? undefined : atOf(place)
          if (place === null || at === undefined) return Option.none()
          return Option.some(change(
            place,
            () => {
              if (place.kind === "owner") state.suppressedOwners.delete(place.id)
              else for (const id of [place.id, ...mergedInto(state, place.id)]) recordedAt[place.kind].delete(id)
            },
            "lifted",
            () => viewOf(state, place.kind, place.id, at)
          ))
        })
      ),
      erase: Effect.fn("Suppressions.erase")(function*(named) {
        const now = yield* Clock.currentTimeMillis
        const wanted = named.toLowerCase()
        const found = [...state.contacts.values()].filter(({ email, id }) =>
          id === wanted || email?.toLowerCase() === wanted
        )
        const tokens = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), state.events.size))
        return yield* Effect.sync(() =>
          found.map((person) => {
            const place: Place = { kind: "contact", id: person.id }
            if (!state.suppressedContacts.has(person.id)) {
              state.suppressedContacts.set(person.id, now)
              tellToRemove(state, place, tokens, now)
              forgetReveals(state)
            }
            forgetPerson(state, person)
            return person.id
          })
        )
      }),
      list: Effect.sync(() =>
        [
          ...[...state.suppressedContacts].map(([id, at]) => ({ at, view: viewOf(state, "contact", id, at) })),
          ...[...state.suppressedOwners].map(([id, { at }]) => ({ at, view: viewOf(state, "owner", id, at) })),
          ...[...state.suppressedProperties].map(([id, at]) => ({ at, view: viewOf(state, "property", id, at) }))
        ].sort((left, right) => left.at - right.at).map(({ view }) => view)
      )
    })
  })
)
