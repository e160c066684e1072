/**
 * Answers what can be looked up. Nothing here is a record: names of counties and how much there is of each are what the
 * service offers, to any organization.
 */
import { Effect, Schema } from "effect"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { RoleType, Seniority } from "../contact/Contact.ts"
import type { CountyCount } from "../coverage/CountyCensus.ts"
import * as Territory from "../coverage/Territory.ts"
import { fipsOf, stateOfCounty } from "../coverage/UsState.ts"
import { EventType } from "../event/EventOperations.ts"
import { SubscribableEvent } from "../event/SubscribableEvent.ts"
import { quoted, quotedRecord } from "../operation/Excerpt.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { nearest } from "../operation/Nearest.ts"
import { noting } from "../operation/Noting.ts"
import * as Span from "../operation/Span.ts"
import type { Organization } from "../organization/Organization.ts"
import { AssetCategory } from "../property/AssetCategory.ts"
import { knownSubcategories } from "../property/AssetSubcategory.ts"
import { categoryIn } from "../property/CategoryWords.ts"
import { withoutRemark } from "../property/PlaceName.ts"
import type { County } from "../property/PropertySearch.ts"
import { filterFields, SortKey } from "../property/SearchInput.ts"
import { countiesMeant } from "../property/SearchPlaces.ts"
import { withheld } from "../property/Withheld.ts"
import { OperatorRequests } from "../request/OperatorRequests.ts"
import { actorIdFor, outcomeOf } from "../request/RequestSight.ts"
import { DisqualifyReason } from "../stage/DisqualifyReason.ts"
import { lossReasonsOf } from "../stage/LossReason.ts"
import { type KnownCounties, labelOf } from "./KnownCounties.ts"
import type { GetCoverage, Lookup, LookupKind } from "./LookupOperations.ts"

const maximumValues = 200
const maximumCounties = 300
/** An answer may have 5,000 characters, and all of them are one result. */
const maximumRequests = 10

interface Value {
  readonly value: string
  readonly label: string | null
  readonly note: string | null
  readonly schema?: unknown
}

const plain = (value: string, note: string | null = null): Value => ({ value, label: null, note })

/** Why the organization cannot filter or sort by it. */
const unusable = (key: string, organization: Organization): string | null =>
  withheld(key, organization)
    ? "Not available on your plan"
    : key.startsWith("changed") && !organization.features.signals
    ? "Change filters are not switched on"
    : null

/** Why no endpoint is told of such an event; null: it is. */
const unsent = (event: typeof EventType.Type, { features }: Organization): string | null =>
  !Schema.is(SubscribableEvent)(event)
    ? "Recorded, never sent"
    : event.startsWith("signal.") && !features.signals
    ? "Not switched on"
    : null

const filterKeys: ReadonlyArray<readonly [key: string, schema: unknown]> = Object.entries(filterFields).map((
  [key, field]
) => [key, Schema.toJsonSchemaDocument(field, { onExcessProperty: "error" }).schema])

const withState = ({ countyFips, name }: CountyCount): County => ({
  countyFips,
  name,
  state: stateOfCounty(countyFips) ?? null
})

const named = (county: Pick<CountyCount, "countyFips" | "name">): Value => ({
  value: county.countyFips,
  label: labelOf(county),
  note: null
})

const valuesOf = (
  kind: LookupKind,
  organization: Organization,
  counties: ReadonlyArray<CountyCount>
): ReadonlyArray<Value> => {
  switch (kind) {
    case "categories":
      return AssetCategory.literals.map((value) => plain(value))
    case "subcategories":
      return Object.entries(knownSubcategories).flatMap(([category, values]) =>
        values.map((value) => plain(value, category))
      )
    case "role_types":
      return RoleType.literals.map((value) => plain(value))
    case "seniorities":
      return Seniority.literals.map((value) => plain(value))
    case "counties":
      return counties.map(named)
    case "loss_reasons":
      return lossReasonsOf(organization).map(({ code, label, requires_note }) => ({
        value: code,
        label,
        note: requires_note ? "Needs a note" : null
      }))
    case "disqualify_reasons":
      return DisqualifyReason.literals.map((value) => plain(value, value === "other" ? "Needs a note" : null))
    case "filter_keys":
      return filterKeys.map(([key, schema]) => ({ ...plain(key, unusable(key, organization)), schema }))
    case "sort_keys":
      return SortKey.literals.map((value) => plain(value, unusable(value, organization)))
    case "event_types":
      return EventType.literals.map((value) => plain(value, unsent(value, organization)))
  }
}

const says = ({ label, note, value }: Value, text: string): boolean =>
  [value, label, note].some((each) => each?.toLowerCase().includes(text) ?? false)

/** A value by the name that people have for it: of a county without its state and a remark of its source. */
const usualName = ({ label, value }: Value): string => withoutRemark((label ?? value).replace(/, [A-Z]{2}$/, ""))

/** Why nothing is listed. `all`: what there is without the query. */
const nothingListed = (
  { kind, query, state }: (typeof Lookup)["input"]["Type"],
  all: ReadonlyArray<Value>,
  organization: Organization
): ReadonlyArray<string> => {
  if (all.length === 0 || query === undefined) return nothingOf(state, organization)
  const names = new Map(all.map((each) => [usualName(each), each] as const))
  const meant = names.get(nearest(query, names.keys()) ?? "")
  const everyday = kind === "categories" || kind === "subcategories" ? categoryIn([query])?.filter : undefined
  if (everyday !== undefined && meant === undefined) {
    return [`None of the ${kind} has ${quoted(query)} in it; among ${everyday.key} there is "${everyday.value}".`]
  }
  return [
    `None of the ${kind.replaceAll("_", " ")} has ${quoted(query)} in it${
      meant === undefined ? "." : `; did you mean ${quotedRecord(meant.label ?? meant.value)}?`
    }`,
    `Without query there are ${all.length}.`
  ]
}

/** Nothing is recorded of any county of the state, or of any at all. Counties that an organization has are not asked for. */
const nothingOf = (state: string | undefined, organization: Organization): ReadonlyArray<string> => {
  if (state === undefined) return ["Nothing is recorded yet."]
  const fips = fipsOf(state)
  if (fips === undefined) return [`No state has the abbreviation ${state}.`]
  const isSwitchedOn = Territory.switchedOn(organization).stateFips.includes(fips)
  return [
    `Nothing is recorded of ${state} yet.`,
    ...isSwitchedOn ? [] : ["service_request_coverage asks for counties of it."]
  ]
}

const inState = (counties: ReadonlyArray<CountyCount>, state: string | undefined) =>
  state === undefined ? counties : counties.filter(({ countyFips }) => stateOfCounty(countyFips) === state)

/** Those that the caller sees before the others, so that a bounded answer has them. */
const ownFirst = (counties: ReadonlyArray<CountyCount>, perspective: Territory.Perspective) =>
  counties.toSorted((left, right) =>
    Number(Territory.sees(perspective, right.countyFips)) - Number(Territory.sees(perspective, left.countyFips))
  )

export const make = Effect.fnUntraced(function*(counties: KnownCounties) {
  const operatorRequests = yield* OperatorRequests

  const lookup: HandlerOf<typeof Lookup> = Effect.fnUntraced(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const { kind, query, state } = input
    if (state !== undefined && kind !== "counties") return yield* invalid("state", "Expected with kind counties only")
    const known = kind === "counties" ? ownFirst(inState(yield* counties, state), caller) : []
    const text = query?.toLowerCase()
    const all = valuesOf(kind, organization, known)
    const said = all.filter((each) => text === undefined || says(each, text))
    // As people write them, such as `Travis County, Texas`.
    const values = said.length > 0 || query === undefined
      ? said
      : countiesMeant(query, {}, known.map(withState)).found.map(named)
    return {
      kind,
      values: values.slice(0, maximumValues),
      total: values.length,
      ...noting(values.length === 0 ? nothingListed(input, all, organization) : [])
    }
  }, Span.named("LookupReader.lookup"))

  /** What was asked for of the state, if any state has that abbreviation: by anybody, or by the member who may see no more. */
  const requestsFor = Effect.fnUntraced(function*(caller: CallerFacts, state: string | undefined) {
    const stateFips = state === undefined ? undefined : fipsOf(state)
    if (state !== undefined && stateFips === undefined) return { requests: [], requests_total: 0 }
    const { requests, total } = yield* operatorRequests.list({
      orgId: caller.organization.org_id,
      status: null,
      kind: "coverage",
      stateFips,
      actorId: actorIdFor(caller),
      limit: maximumRequests,
      offset: 0
    })
    return {
      requests: requests.map((request) => ({ ...outcomeOf(request), county_fips: request.countyFips ?? [] })),
      requests_total: total
    }
  })

  const coverage: HandlerOf<typeof GetCoverage> = Effect.fn("LookupReader.coverage")(function*({ state }) {
    const caller = yield* Caller
    const { organization } = caller
    const asked = yield* requestsFor(caller, state)
    const switchedOn = Territory.switchedOn(organization)
    const licensed = Territory.licensed(organization)
    const known = inState(yield* counties, state).map(({ countyFips, lastRefresh, name, properties, sources }) => ({
      fips: countyFips,
      name,
      state: stateOfCounty(countyFips) ?? null,
      licensed: Territory.contains(licensed, countyFips),
      switched_on: Territory.contains(switchedOn, countyFips),
      properties,
      last_refresh: lastRefresh,
      sources
    }))
    const rank = ({ fips, licensed, switched_on }: (typeof known)[number]) =>
      Number(Territory.sees(caller, fips)) * 4 + Number(switched_on) * 2 + Number(licensed)
    const ordered = known.toSorted((left, right) => rank(right) - rank(left))
    return {
      counties: ordered.slice(0, maximumCounties),
      total: ordered.length,
      ...asked,
      ...noting(ordered.length === 0 ? nothingOf(state, organization) : [])
    }
  })

  return { lookup, coverage }
})
