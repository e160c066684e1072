/**
 * `CrmPusher` for HubSpot: companies, contacts, deals (CRM API v3) and what connects them (associations v4).
 *
 * | record  | key of ours                                                                                           |
 * | ------- | ------------------------------------------------------------------------------------------------------ |
 * | company | `service_property_id`                                                                                   |
 * | contact | the address; where there is none, or HubSpot knows the person by another, `service_contact_id`         |
 * | deal    | `service_property_id`                                                                                   |
 *
 * The credentials are the access token of a private app. What we do not know is not sent, so that nothing is emptied there.
 *
 * *Gotchas*: a batch may be done in part (207), which ends the push as failed: it is repeated as a whole, by the same keys.
 */
import { saying } from "@freehold/core/operation/PlainText"
import type { CrmContact, CrmLead } from "@freehold/core/webhook/CrmLead"
import type { CrmTarget, PushOutcome } from "@freehold/core/webhook/CrmPusher"
import { type HubSpotSettings, stageIn } from "@freehold/core/webhook/CrmSettings"
import { Array as Arr, Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { ended, postponed, refused, retryAfter } from "./CrmAnswers.ts"
import type { CrmAnswer, CrmCall, CrmRequest } from "./CrmCall.ts"

/** The API takes so many a batch. */
const batchLimit = 100
/** Where nothing says how long: the window of the limit, or of the daily one some time. */
const afterBurst = Duration.seconds(10)
const afterDaily = Duration.hours(1)

type Type = "companies" | "contacts" | "deals"

interface Input {
  readonly id: string
  readonly idProperty: "email" | "service_contact_id" | "service_property_id"
  readonly properties: Readonly<Record<string, string>>
}

const Refusal = Schema.fromJsonString(Schema.Struct({
  category: Schema.optionalKey(Schema.String),
  policyName: Schema.optionalKey(Schema.String)
}))
const readRefusal = Schema.decodeOption(Refusal)

const Batch = Schema.fromJsonString(Schema.Struct({
  results: Schema.Array(Schema.Struct({ id: Schema.optionalKey(Schema.String) })),
  errors: Schema.optionalKey(Schema.Array(Schema.Struct({ category: Schema.String })))
}))
const readBatch = Schema.decodeOption(Batch)

const readProperty = Schema.decodeOption(
  Schema.fromJsonString(Schema.Struct({ hasUniqueValue: Schema.optionalKey(Schema.Boolean) }))
)
const readPipeline = Schema.decodeOption(
  Schema.fromJsonString(Schema.Struct({ stages: Schema.Array(Schema.Struct({ id: Schema.String })) }))
)

/** Another record has one of the keys. */
interface Conflict {
  readonly _tag: "Conflict"
  readonly answer: CrmAnswer
}

const known = (properties: Readonly<Record<string, string | number | null>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => value === null || value === "" ? [] : [[name, String(value)]])
  )

const companyOf = ({ company, propertyId }: CrmLead): Input => ({
  id: propertyId,
  idProperty: "service_property_id",
  properties: known({
    service_property_id: propertyId,
    name: company.name,
    domain: company.domain,
    website: company.website,
    phone: company.phone,
    address: company.street,
    city: company.city,
    state: company.state,
    zip: company.zip
  })
})

const personal = ({ firstName, id, lastName, phone, title }: CrmContact) => ({
  service_contact_id: id,
  firstname: firstName,
  lastname: lastName,
  jobtitle: title,
  phone
})

const byAddress = (contact: CrmContact): ReadonlyArray<Input> =>
  contact.email === null
    ? []
    : [{ id: contact.email, idProperty: "email", properties: known({ ...personal(contact), email: contact.email }) }]

const byId = (contact: CrmContact): Input => ({
  id: contact.id,
  idProperty: "service_contact_id",
  properties: known(personal(contact))
})

const dealOf = ({ deal, propertyId, stage }: CrmLead, settings: HubSpotSettings): Input => ({
  id: propertyId,
  idProperty: "service_property_id",
  properties: known({
    service_property_id: propertyId,
    dealname: deal.name,
    amount: deal.value,
    pipeline: settings.pipeline,
    dealstage: stageIn(settings, stage),
    description: deal.description
  })
})

/** How long HubSpot asks to wait. */
const waitOf = (answer: CrmAnswer, policy: string | undefined, now: number): Duration.Duration => {
  const interval = Number(answer.headers["x-hubspot-ratelimit-interval-milliseconds"])
  return retryAfter(answer, now) ??
    (policy === "DAILY" ? afterDaily : interval > 0 ? Duration.min(Duration.millis(interval), afterDaily) : afterBurst)
}

export const make = (call: CrmCall["Service"]) => {
  /** A success, or how the push ends. */
  const ask = Effect.fnUntraced(function*(
    { credentials, url }: CrmTarget,
    method: CrmRequest["method"],
    path: string,
    body?: object
  ): Effect.fn.Return<CrmAnswer, Conflict | PushOutcome> {
    const answer = yield* call.ask({
      method,
      url: `${url.replace(/\/+$/, "")}${path}`,
      headers: {
        Authorization: `Bearer ${Redacted.value(credentials)}`,
        ...body === undefined ? {} : { "Content-Type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    if (answer.status === 200 || answer.status === 207) return answer
    const { category, policyName } = Option.getOrElse(
      readRefusal(answer.text),
      () => ({ category: "", policyName: "" })
    )
    if (answer.status === 409) return yield* Effect.fail<Conflict>({ _tag: "Conflict", answer })
    if (answer.status === 429) {
      const wait = waitOf(answer, policyName, yield* Clock.currentTimeMillis)
      return yield* postponed(wait, `HubSpot asks to wait: ${policyName ?? "too many requests"}`)
    }
    return yield* Effect.fail(
      refused(answer, `${path.split("?")[0]} answered ${answer.status} ${category ?? ""}`.trim())
    )
  })

  /** The ids of the records there, when all of the batch is done. */
  const batch = Effect.fnUntraced(function*(target: CrmTarget, path: string, inputs: ReadonlyArray<object>) {
    if (inputs.length === 0) return []
    const answer = yield* ask(target, "POST", path, { inputs })
    const read = readBatch(answer.text)
    if (Option.isNone(read)) return yield* Effect.fail(refused(answer, `${path} answered what cannot be read`))
    const { errors = [], results } = read.value
    if (errors.some(({ category }) => category === "CONFLICT")) {
      return yield* Effect.fail<Conflict>({ _tag: "Conflict", answer })
    }
    if (errors.length > 0 || answer.status === 207) {
      return yield* Effect.fail(refused(answer, `${path} was done in part: ${errors[0]?.category ?? ""}`))
    }
    return results.flatMap(({ id }) => id ?? [])
  })

  const upsert = (target: CrmTarget, type: Type, inputs: ReadonlyArray<Input>) =>
    batch(target, `/crm/v3/objects/${type}/batch/upsert`, inputs)

  const conflicting = ({ answer }: Conflict) => Effect.fail(refused(answer, "HubSpot has another record with that key"))

  /** One person by the address; who is there under another is found by our id, and keeps it. */
  const upsertPerson = (target: CrmTarget, contact: CrmContact) =>
    upsert(target, "contacts", byAddress(contact)).pipe(
      Effect.catchTag("Conflict", () => upsert(target, "contacts", [byId(contact)])),
      Effect.catchTag("Conflict", conflicting)
    )

  const upsertPeople = Effect.fnUntraced(function*(target: CrmTarget, contacts: ReadonlyArray<CrmContact>) {
    const unnamed = contacts.filter(({ email }) => email === null)
    const addressed = contacts.filter(({ email }) => email !== null)
    const ids: Array<string> = []
    for (const some of Arr.chunksOf(addressed, batchLimit)) {
      const found = yield* Effect.catchTag(
        upsert(target, "contacts", some.flatMap(byAddress)),
        "Conflict",
        () => Effect.map(Effect.forEach(some, (each) => upsertPerson(target, each)), (each) => each.flat())
      )
      ids.push(...found)
    }
    for (const some of Arr.chunksOf(unnamed, batchLimit)) {
      ids.push(...yield* upsert(target, "contacts", some.map(byId)))
    }
    return ids
  })

  const associate = (target: CrmTarget, from: Type, to: Type, pairs: ReadonlyArray<readonly [string, string]>) =>
    Effect.forEach(
      Arr.chunksOf(pairs, batchLimit),
      (some) =>
        batch(
          target,
          `/crm/v4/associations/${from}/${to}/batch/associate/default`,
          some.map(([one, other]) => ({ from: { id: one }, to: { id: other } }))
        ),
      { discard: true }
    )

  const push = Effect.fnUntraced(function*(target: CrmTarget, settings: HubSpotSettings, lead: CrmLead) {
    const [company = ""] = yield* upsert(target, "companies", [companyOf(lead)])
    const people = yield* upsertPeople(target, lead.contacts)
    const [deal = ""] = yield* upsert(target, "deals", [dealOf(lead, settings)])
    yield* associate(target, "contacts", "companies", people.map((id) => [id, company]))
    yield* associate(target, "deals", "companies", [[deal, company]])
    yield* associate(target, "deals", "contacts", people.map((id) => [deal, id]))
    const done: PushOutcome = { _tag: "Delivered", status: 200, answer: saying(`company ${company}, deal ${deal}`) }
    return done
  })

  const checkKey = Effect.fnUntraced(function*(target: CrmTarget, type: Type, name: Input["idProperty"]) {
    const answer = yield* ask(target, "GET", `/crm/v3/properties/${type}/${name}`)
    const isUnique = Option.exists(readProperty(answer.text), ({ hasUniqueValue }) => hasUniqueValue === true)
    if (!isUnique) return yield* Effect.fail(refused(answer, `${name} of ${type} does not require unique values`))
  })

  const check = Effect.fnUntraced(function*(target: CrmTarget, settings: HubSpotSettings) {
    yield* checkKey(target, "companies", "service_property_id")
    yield* checkKey(target, "deals", "service_property_id")
    yield* checkKey(target, "contacts", "service_contact_id")
    const answer = yield* ask(target, "GET", `/crm/v3/pipelines/deals/${encodeURIComponent(settings.pipeline)}`)
    const stages = Option.match(readPipeline(answer.text), {
      onNone: (): ReadonlyArray<string> => [],
      onSome: (pipeline) => pipeline.stages.map(({ id }) => id)
    })
    const missing = Object.values(settings.stages).find((stage) => !stages.includes(stage))
    if (missing !== undefined) {
      return yield* Effect.fail(
        refused({ ...answer, text: "" }, `the pipeline ${settings.pipeline} has no stage ${missing}`)
      )
    }
    const done: PushOutcome = { _tag: "Delivered", status: 200 }
    return done
  })

  const end = (effect: Effect.Effect<PushOutcome, Conflict | PushOutcome>): Effect.Effect<PushOutcome> =>
    ended(Effect.catchTag(effect, "Conflict", conflicting))

  return {
    push: (target: CrmTarget, settings: HubSpotSettings, lead: CrmLead) => end(push(target, settings, lead)),
    check: (target: CrmTarget, settings: HubSpotSettings) => end(check(target, settings))
  }
}
