/**
 * A member whose territory ends before one of two places of the same people and firms, and a call of every operation.
 *
 * Every word that is kept about the closed place alone begins with `zanzil`. An organization has unlocked it, written notes
 * about it, had it researched, made it a lead and a customer: none of this may be told to the member.
 *
 * All data is made up.
 */
import { Array, Effect, Schedule } from "effect"
import type { CatalogueOperation } from "../catalogue/Catalogue.ts"
import { defaults } from "../organization/Organization.ts"
import { contact, firm, member, property, type Seed } from "./Seed.ts"

export const orgId = "org_closed_place"

/** The territory, and the county beyond it. */
export const counties = { near: "53903", far: "53905" } as const

const id = (n: number): string => `00000000-0000-4000-b000-${String(n).padStart(12, "0")}`

/** The closed ones come first wherever ids give the order. */
const ids = {
  far: id(1),
  farRetired: id(2),
  near: id(11),
  nearLocked: id(12),
  farUnread: id(3),
  nearRetired: id(14),
  nearUnread: id(13),
  farFirm: id(21),
  bothFirm: id(22),
  farPerson: id(31),
  bothPerson: id(32),
  lockedPerson: id(33),
  list: id(41),
  change: id(51),
  note: id(71),
  task: id(72),
  ana: id(61),
  tess: id(62),
  ada: id(64),
  nowhere: id(99)
} as const

/** What the closed property is called beside its id. */
const farKey = `${counties.far}-zanzilkey`

/** Who sees all of the organization's area, and who sees the near county alone. */
export const members = {
  whole: member({ memberId: ids.ana, name: "Ana", email: "ana@people.example", role: "admin" }),
  within: member({
    memberId: ids.tess,
    name: "Tess",
    email: "tess@people.example",
    territory: { county_fips: [counties.near] }
  })
} as const

export const organization = {
  ...defaults(orgId),
  name: "Sample Roofing (made up)",
  plan: "enterprise" as const,
  requests_per_minute: 100_000,
  serviceable_area: { whole_state_abbrs: [], county_fips: [counties.near, counties.far] },
  features: { ...defaults(orgId).features, signals: true }
}

/** Who reads what admins do, and sees the near county alone. */
export const adminWithin = member({
  memberId: ids.ada,
  name: "Ada",
  email: "ada@people.example",
  role: "admin",
  territory: members.within.territory
})

/** The member, by an assistant. */
export const callerOf = (member: (typeof members)[keyof typeof members]) => ({
  kind: "person" as const,
  credentialId: `connection_${member.name}`,
  label: member.name,
  clientId: "assistant",
  scopes: ["mcp" as const],
  organization,
  territory: member.territory,
  requestId: "request",
  member
})

const researchOf = (name: string) => ({
  beneficialOwner: `${name}beneficial`,
  beneficialOwnerType: "private_company" as const,
  managementCompany: `${name}management`,
  aiRationale: `${name}rationale`,
  researchedAt: "2026-06-01T00:00:00.000Z",
  tier: "Deep" as const
})

const place = (propertyId: string, countyFips: string, name: string, retiredInto: string | null = null) =>
  property({
    id: propertyId,
    key: `${countyFips}-${name}key`,
    countyFips,
    address: `1 ${name}street`,
    rawAddress: `1 ${name}raw`,
    city: `${name}city`,
    state: "WA",
    commonName: `${name}common`,
    recordOwner: `${name}owner`,
    ownerName: `${name}ownername`,
    zoning: `${name}zoning`,
    landUseDescription: `${name}landuse`,
    assetCategory: "Office",
    research: researchOf(name),
    retiredInto
  })

const tie = (propertyId: string, contactId: string) => ({
  propertyId,
  contactId,
  role: "property_manager" as const,
  relationshipStatus: "current" as const,
  attributionType: "county_record"
})

const person = (contactId: string, name: string) =>
  contact({
    id: contactId,
    fullName: `${name}person`,
    title: `${name}title`,
    roleType: "property_manager",
    employerName: `${name}employer`,
    location: `${name}location`,
    email: `${name}@people.example`,
    emailValidationStatus: "valid"
  })

const of = (propertyId: string) => ({ orgId, propertyId })

const at = "2026-06-01T00:00:00.000Z"

export const seed: Partial<Seed> = {
  organizations: [organization],
  members: Object.values(members).map((each) => ({ orgId, ...each })),
  properties: [
    place(ids.far, counties.far, "zanzil"),
    place(ids.farRetired, counties.far, "zanzilretired", ids.far),
    place(ids.near, counties.near, "open"),
    place(ids.nearRetired, counties.near, "gone", ids.far),
    place(ids.nearLocked, counties.near, "locked"),
    property({ id: ids.farUnread, countyFips: counties.far }),
    property({ id: ids.nearUnread, countyFips: counties.near })
  ],
  firms: [
    firm({ id: ids.farFirm, name: "zanzilfirm", domain: "zanzildomain.example", phone: "zanzilphone" }),
    firm({ id: ids.bothFirm, name: "bothfirm" })
  ],
  propertyFirms: [
    { propertyId: ids.far, firmId: ids.farFirm, role: "owner", attributionType: "county_record" },
    { propertyId: ids.far, firmId: ids.bothFirm, role: "property_manager", attributionType: "management_research" },
    { propertyId: ids.near, firmId: ids.bothFirm, role: "owner", attributionType: "county_record" }
  ],
  contacts: [person(ids.farPerson, "zanzil"), person(ids.bothPerson, "both"), person(ids.lockedPerson, "locked")],
  relationships: [
    tie(ids.far, ids.farPerson),
    tie(ids.far, ids.bothPerson),
    tie(ids.near, ids.bothPerson),
    tie(ids.far, ids.lockedPerson),
    tie(ids.nearLocked, ids.lockedPerson)
  ],
  accesses: [ids.far, ids.near].map((propertyId) => ({ orgId, kind: "property", id: propertyId, source: "paid" })),
  leads: [{
    ...of(ids.far),
    status: "lost",
    dealValue: 4321,
    qualifiedAt: at,
    qualifiedBy: { kind: "member", id: ids.ana, name: "zanzilqualifier" },
    statusChangedAt: at,
    version: 1,
    lossReasonCode: "other",
    lossReasonNote: "zanzilloss"
  }],
  notes: [{ ...of(ids.far), id: ids.note, content: "zanzilnote", author: "Ana", createdAt: at }],
  tasks: [{
    ...of(ids.far),
    id: ids.task,
    title: "zanziltask",
    description: "zanziltodo",
    type: "call",
    status: "open",
    dueAt: null,
    assigneeName: null,
    createdAt: at,
    completedAt: null
  }],
  customers: [{ ...of(ids.far), status: "active" }],
  lists: [{ orgId, id: ids.list, propertyIds: [ids.far, ids.near] }],
  changes: [{
    id: ids.change,
    kind: "manager_change",
    propertyId: ids.far,
    detectedAt: Date.parse(at),
    withdraws: null,
    before: { value: "zanzilbefore", organization_id: null },
    after: { value: "zanzilafter", organization_id: null }
  }]
}

/** The team's list of both places. */
export const list = { list_id: ids.list, outside: ids.far }

/** What the organization keeps about the closed place. */
export const kept = { property_id: ids.far, note: ids.note, task: ids.task } as const

/** Purchases about the closed place: of its own research, of a person and of a firm who are known there alone. */
export const purchases: ReadonlyArray<readonly [OperationName, { readonly id: string }]> = [
  ["service_research_property", { id: ids.farUnread }],
  ["service_research_contact", { id: ids.farPerson }],
  ["service_research_organization", { id: ids.farFirm }]
]

/** Whom the unlock of the closed place opened, and whose property in the territory is locked. */
export const openFromAfar = { contact_id: ids.lockedPerson, locked: ids.nearLocked } as const

/** Without research: beyond the territory and in it. Whoever crawls sees to it that research of the former does not end. */
export const unread = { far: ids.farUnread, near: ids.nearUnread } as const

/** Of any shape: what an answer has is what is looked for. */
type Answer = ReturnType<typeof JSON.parse>

export type OperationName = CatalogueOperation["name"]

/** What an operation answers or is refused with. */
export type Ask<R> = (name: OperationName, input: object) => Effect.Effect<Answer, never, R>

/** What the organization's other member left behind, beside the seed. */
interface Left {
  readonly research: string
  readonly draft: string
  readonly batch: string
  readonly people: string
  readonly search: string
}

const search = { filters: { countyFips: [counties.near, counties.far] }, verbosity: "full" }

const ended = <R>(ask: Ask<R>, runId: string) =>
  ask("service_get_research_status", { run_id: runId }).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("20 millis"),
      until: ({ finished_at }) => finished_at !== null
    }),
    Effect.timeout("3 minutes"),
    Effect.orDie
  )

/** The other member works on the closed place; `within` keeps a search of its own. */
const leave = Effect.fnUntraced(function*<R>(whole: Ask<R>, within: Ask<R>) {
  const about = { contact_id: ids.bothPerson, property_id: ids.far }
  const research = yield* whole("service_deep_research_contact", about)
  yield* ended(whole, research.run_id)
  const draft = yield* whole("service_draft_email", about)
  const batch = yield* whole("service_research_properties", { property_ids: [ids.farUnread], maxCredits: 10 })
  const { list } = yield* whole("service_create_list", { list_name: "People", list_type: "contacts" })
  const { saved_search } = yield* within("service_save_search", { name: "Both", search })
  const left: Left = {
    research: research.run_id,
    draft: draft.run_id,
    batch: batch.run_id,
    people: list.id,
    search: saved_search.id
  }
  yield* whole("service_add_to_list", { list_id: left.people, item_ids: [ids.farPerson, ids.bothPerson] })
  return left
})

const properties = [ids.far, ids.near, ids.nearLocked, ids.farRetired, ids.nearRetired]
const people = [ids.farPerson, ids.bothPerson]

/** A batch that the member may start, but for the one that is running. */
const chosen = [ids.nearUnread, ids.nearLocked]

/** Calls of every operation, about the closed place wherever it can be named. Those that change something come last. */
const callsOf = (left: Left): Readonly<Record<OperationName, ReadonlyArray<object>>> => ({
  service_describe_workspace: [{}],
  service_lookup: [{ kind: "loss_reasons" }, { kind: "categories" }],
  service_search_properties: [
    { query: "zanzil", verbosity: "full" },
    { query: "city", verbosity: "full" },
    search,
    { ...search, filters: { ...search.filters, ownerName: "zanzil" } },
    { ...search, filters: { ...search.filters, inListId: ids.list } },
    { ...search, filters: { ...search.filters, notInListId: ids.list } },
    { ...search, filters: { ...search.filters, organizationId: ids.bothFirm } },
    { ...search, filters: { ...search.filters, changedKinds: ["manager_change"] } },
    { ...search, filters: { ...search.filters, pipelineStatus: ["lost"] } },
    { ...search, filters: { cities: ["zanzilcity"], states: ["WA"] } }
  ],
  service_get_property: properties.map((each) => ({ id: each })),
  service_get_property_record: properties.map((each) => ({ id: each })),
  service_find_contacts: [{ query: "zanzil" }, { query: "employer" }],
  service_browse_contacts: [{}, { countyFips: [counties.far] }, { employerText: "zanzil" }, {
    organizationId: ids.bothFirm
  }],
  service_get_contact: people.map((each) => ({ id: each })),
  service_get_contact_relationships: people.map((each) => ({ id: each })),
  service_browse_organizations: [{}, { query: "zanzil" }, { countyFips: [counties.far] }],
  service_get_organization: [{ id: ids.farFirm }, { id: ids.bothFirm }],
  service_get_organization_properties: [{ id: ids.farFirm }, { id: ids.bothFirm }],
  service_resolve_properties: [{ rows: [{ address: "1 zanzilstreet", city: "zanzilcity", state: "WA" }] }],
  service_check_access: [{ property_ids: [...properties], contact_ids: people }],
  service_get_changes: [{ days: 3650 }, { property_id: ids.far, days: 3650 }, {
    property_id: ids.nearRetired,
    days: 3650
  }, {
    contact_id: ids.bothPerson,
    days: 3650
  }],
  service_price_research: [
    { action: "research_property", property_ids: properties },
    { action: "research_property", property_ids: chosen },
    { action: "research_organization", organization_id: ids.farFirm },
    ...people.flatMap((contact_id) => [
      { action: "find_email", contact_id },
      { action: "draft_email", contact_id },
      { action: "deep_research_contact", contact_id },
      { action: "deep_research_contact", contact_id, property_id: ids.far }
    ])
  ],
  service_get_research_status: [left.research, left.draft, left.batch].map((run_id) => ({ run_id })),
  service_list_research_runs: [
    {},
    { property_id: ids.far },
    { property_id: ids.nearRetired },
    ...people.map((contact_id) => ({ contact_id }))
  ],
  service_list_leads: [{}],
  service_get_pipeline: [{}, { status: "lost" }],
  service_get_lead_history: [{ property_id: ids.far }, { property_id: ids.nearRetired }],
  service_get_transition_cap: [{}],
  service_get_loss_reasons: [{}],
  service_list_events: [{ days: 90 }],
  service_list_lists: [{}],
  service_get_list_items: [{ list_id: ids.list }, { list_id: left.people }],
  service_list_notes: [{ property_id: ids.far }, { property_id: ids.nearRetired }],
  service_get_notes: [{ propertyId: ids.far }, { propertyId: ids.nearRetired }],
  service_list_saved_searches: [{}],
  service_run_saved_search: [{ saved_search_id: left.search }],
  service_list_webhooks: [{}],
  service_list_webhook_deliveries: [{ id: ids.nowhere }],
  service_get_webhook_sample: [{}],
  service_test_webhook: [{ id: ids.nowhere }],
  service_get_webhook_delivery: [{ event_id: ids.nowhere }],
  service_resend_webhook_delivery: [{ event_id: ids.nowhere }],
  service_resend_failed_deliveries: [{ id: ids.nowhere, since: "2026-01-01" }],
  service_rotate_webhook_secret: [{ id: ids.nowhere }],
  service_enable_webhook: [{ id: ids.nowhere }],
  service_disable_webhook: [{ id: ids.nowhere }],
  service_change_webhook: [{ id: ids.nowhere, label: "Sample" }],
  service_get_price_sheet: [{}],
  service_get_credit_balance: [{}],
  service_get_identity: [{}],
  service_get_account: [{}],
  service_get_allowance: [{}],
  service_get_credit_ledger: [{}],
  service_get_coverage: [{}],
  service_list_requests: [{}],

  service_get_lead_bundle: [{ property_id: ids.far }, { property_id: ids.nearRetired }, { property_id: farKey }, {
    property_id: ids.near
  }],
  service_reveal_property: properties.map((each) => ({ id: each })),
  service_reveal_contact: people.map((each) => ({ id: each })),
  service_research_property: [{ id: ids.far }, { id: ids.nearRetired }],
  service_research_properties: [
    { property_ids: properties, maxCredits: 0 },
    { property_ids: chosen, maxCredits: 0 },
    { list_id: ids.list, maxCredits: 0 }
  ],
  service_research_contact: people.map((each) => ({ id: each })),
  service_research_organization: [{ id: ids.farFirm }, { id: ids.bothFirm }],
  service_find_email: people.map((contact_id) => ({ contact_id })),
  service_deep_research_contact: people.flatMap((contact_id) => [{ contact_id }, {
    contact_id,
    property_id: ids.far
  }]),
  service_draft_email: people.flatMap((contact_id) => [{ contact_id }, { contact_id, property_id: ids.far }]),
  service_qualify_lead: [ids.far, ids.nearRetired].map((property_id) => ({ property_id, deal_value: 5000 })),
  service_disqualify_lead: [{ property_id: ids.far, reason_code: "not_a_fit" }],
  service_update_lead_status: [{ property_id: ids.far, status: "won", deal_value: 5000 }],
  service_write_back_status: [{ property_id: ids.far, status: "won" }],
  service_sync_customer_accounts: [{
    accounts: [ids.far, ids.farRetired, ids.nearRetired].map((property_id) => ({ property_id, status: "active" }))
  }],
  service_create_list: [{ list_name: "People", list_type: "contacts", reuse_existing_by_name: true }],
  service_add_to_list: [{ list_id: ids.list, item_ids: [ids.far] }, { list_id: ids.list, item_ids: [farKey] }],
  service_remove_from_list: [
    { list_id: ids.list, item_ids: [farKey] },
    { list_id: ids.list, item_ids: [ids.far] },
    { list_id: left.people, item_ids: [ids.farPerson] }
  ],
  service_add_note: [ids.far, ids.nearRetired].map((property_id) => ({ property_id, content: "A note." })),
  service_save_search: [{ name: "Both again", search }],
  service_delete_saved_search: [{ saved_search_id: ids.nowhere }],
  service_create_webhook: [{ url: "https://receiver.example/hook" }],
  service_delete_webhook: [{ id: ids.nowhere }],
  service_request_support: [{ subject: "Sample", message: "Made up." }],
  service_request_coverage: [{ county_fips: [counties.far] }]
})

/** The runs one by one until they end. No page counts as asked for by its cursor, which the page before told. */
const walked = Effect.fnUntraced(function*<R>(ask: Ask<R>) {
  const name: OperationName = "service_list_research_runs"
  const pages: Array<Told> = []
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: Answer = yield* ask(name, { limit: 1, ...cursor === null ? {} : { cursor } })
    pages.push({ name, asked: "", answered: JSON.stringify(page) })
    cursor = page.next_cursor
  }
  return pages
})

/** What is drafted to the person of both places, or why it is not. */
const draftOf = Effect.fnUntraced(function*<R>(ask: Ask<R>, about: object) {
  const name: OperationName = "service_draft_email"
  const asked = { contact_id: ids.bothPerson, ...about }
  const started = yield* ask(name, asked)
  const answer = started.run_id === undefined ? started : yield* ended(ask, started.run_id)
  return { name, asked: JSON.stringify(asked), answered: JSON.stringify(answer) }
})

/** The property within the territory. */
export const nearProperty = ids.near

/** What of the closed place can be told by a name of its own. */
export const closed = [ids.far, ids.farRetired, ids.farUnread, ids.farFirm, ids.farPerson]

/** The words of the closed place in an answer. */
export const wordsIn = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/zanzil[a-z]*/g) ?? []

/** A question and what came back, as texts. */
interface Told {
  readonly name: string
  readonly asked: string
  readonly answered: string
}

/** What was answered with a word of the closed place, or one of the ids, that the question did not have. */
export const leaksIn = (told: ReadonlyArray<Told>, hidden: ReadonlyArray<string> = closed): ReadonlyArray<Told> =>
  told.filter(({ answered, asked }) =>
    wordsIn(answered).some((word) => !wordsIn(asked).includes(word)) ||
    hidden.some((each) => answered.includes(each) && !asked.includes(each))
  )

/**
 * Has everything asked, by the member within the territory and then by the one who sees all.
 *
 * `leaks`: answers to the former with a word or a name of the closed place that the question did not have, or the id of a run
 * about it. `told`: every word of the closed place that the latter was told. `shown`: all that the former was answered, as one text.
 */
export const crawl = Effect.fn("ClosedPlace.crawl")(function*<R>(
  whole: Ask<R>,
  within: Ask<R>,
  names: ReadonlyArray<OperationName>
) {
  const left = yield* leave(whole, within)
  const calls = callsOf(left)
  const answers = Effect.fnUntraced(function*(ask: Ask<R>) {
    return yield* Effect.forEach(
      names.flatMap((name) => calls[name].map((input) => ({ name, input }))),
      ({ input, name }) =>
        Effect.map(ask(name, input), (answer) => ({
          name,
          asked: JSON.stringify(input),
          answered: JSON.stringify(answer)
        }))
    )
  })
  const found = yield* answers(within)
  const paged = names.includes("service_list_research_runs") ? yield* walked(within) : []
  const runs = Array.dedupe(
    found.flatMap(({ answered }) => Array.fromIterable(answered.matchAll(/"run_id":"([^"]+)"/g)).map(([, run]) => run))
  )
  const followed = yield* Effect.forEach(
    runs.filter((run) => run !== undefined && !Object.values(left).includes(run)),
    (run = "") =>
      Effect.map(ended(within, run), (answer) => ({ name: run, asked: "", answered: JSON.stringify(answer) }))
  )
  // Its deep research has ended by now, without which nothing is drafted.
  const drafted = names.includes("service_draft_email")
    ? yield* Effect.forEach([{}, { property_id: ids.far }], (about) => draftOf(within, about))
    : []
  const hidden = [...closed, left.research, left.draft, left.batch]
  const leaks = leaksIn([...found, ...paged, ...followed, ...drafted], hidden)
  const told = new Set((yield* answers(whole)).flatMap(({ answered }) => wordsIn(answered)))
  return { leaks, told, shown: [...found, ...followed, ...drafted].map(({ answered }) => answered).join("\n") }
})

/** What deep research of the member finds out, and what is drafted by it: both are about the place in the territory. */
export const found = ["1 openstreet", "Managed by openmanagement.", "openrationale", "\"draft\":{\"subject\":"]

/** Every word that is kept about the closed place, and told to who sees it. */
export const words = (
  "street raw city common owner ownername zoning landuse beneficial management rationale key firm domain phone person " +
  "title employer location note task todo loss before after qualifier"
).split(" ").map((kind) => `zanzil${kind}`)
