/**
 * `CrmPusher` for Salesforce: accounts, contacts and opportunities through the REST API's collections.
 *
 * | record      | key of ours                                                                                     |
 * | ----------- | ------------------------------------------------------------------------------------------------ |
 * | Account     | `service_property_id__c`                                                                         |
 * | Contact     | `service_contact_id__c`; somebody who is there with the same address and without it is given it  |
 * | Opportunity | `service_property_id__c`                                                                         |
 *
 * The credentials are those of a connected app, as JSON: `client_id` and `client_secret`, for the client credentials flow,
 * or with a `refresh_token` for that one. An access token is kept until Salesforce says that it has expired.
 *
 * *Gotchas*: duplicate rules of the organization hold: what one blocks fails with DUPLICATES_DETECTED and is repeated.
 */
import { saying } from "@freehold/core/operation/PlainText"
import { remember } from "@freehold/core/operation/Remember"
import type { CrmContact, CrmLead } from "@freehold/core/webhook/CrmLead"
import type { CrmTarget, PushOutcome } from "@freehold/core/webhook/CrmPusher"
import { SalesforceCredentials, type SalesforceSettings, stageIn } from "@freehold/core/webhook/CrmSettings"
import { Array as Arr, Clock, DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { ended, postponed, refused, retryAfter } from "./CrmAnswers.ts"
import type { CrmAnswer, CrmCall, CrmRequest } from "./CrmCall.ts"

const api = "/services/data/v62.0"
/** Collections take 200; the query that goes before names as many people in an address. */
const batchLimit = 50
/** The limit is one of the last 24 hours. */
const afterLimit = Duration.minutes(15)
const mostTokens = 1_000

const readCredentials = Schema.decodeOption(SalesforceCredentials)

const readToken = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({ access_token: Schema.String })))

const readRefusal = Schema.decodeOption(
  Schema.fromJsonString(Schema.NonEmptyArray(Schema.Struct({ errorCode: Schema.String })))
)

const readResults = Schema.decodeOption(Schema.fromJsonString(Schema.Array(Schema.Struct({
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  success: Schema.Boolean,
  errors: Schema.Array(Schema.Struct({ statusCode: Schema.String }))
}))))

const readPeople = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({
  records: Schema.Array(Schema.Struct({
    Id: Schema.String,
    Email: Schema.NullOr(Schema.String),
    service_contact_id__c: Schema.NullOr(Schema.String)
  }))
})))

const readStages = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({
  records: Schema.Array(Schema.Struct({ ApiName: Schema.String }))
})))

type Fields = Readonly<Record<string, string | number | null>>

const recordOf = (type: string, fields: Fields) => ({
  attributes: { type },
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""))
})

const accountOf = ({ company, propertyId }: CrmLead): Fields => ({
  service_property_id__c: propertyId,
  Name: company.name,
  Website: company.website ?? company.domain,
  Phone: company.phone,
  BillingStreet: company.street,
  BillingCity: company.city,
  BillingState: company.state,
  BillingPostalCode: company.zip
})

const personOf = ({ email, firstName, id, lastName, phone, title }: CrmContact, account: string): Fields => ({
  service_contact_id__c: id,
  AccountId: account,
  FirstName: firstName,
  LastName: lastName,
  Email: email,
  Title: title,
  Phone: phone
})

const opportunityOf = (
  { deal, propertyId, stage }: CrmLead,
  settings: SalesforceSettings,
  account: string,
  now: number
) => ({
  service_property_id__c: propertyId,
  AccountId: account,
  Name: deal.name,
  StageName: stageIn(settings, stage),
  CloseDate: DateTime.formatIsoDate(
    DateTime.addDuration(
      DateTime.makeUnsafe(deal.qualifiedAt ?? now),
      Duration.days(settings.close_after_days)
    )
  ),
  Amount: deal.value,
  Description: deal.description
})

/** A text in a query. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`

const listed = (texts: ReadonlyArray<string>): string => `(${texts.map(quoted).join(",")})`

const rootOf = ({ url }: CrmTarget): string => url.replace(/\/+$/, "")

export const make = (call: CrmCall["Service"]) => {
  /** By endpoint and credentials; the one that was used last stands at the end. */
  const tokens = new Map<string, Redacted.Redacted>()

  const keyOf = ({ credentials, endpointId, url }: CrmTarget) =>
    [endpointId, url, Redacted.value(credentials)].join(" ")

  const signIn = Effect.fnUntraced(function*(target: CrmTarget): Effect.fn.Return<Redacted.Redacted, PushOutcome> {
    const credentials = readCredentials(Redacted.value(target.credentials))
    if (Option.isNone(credentials)) return yield* Effect.die(`the credentials of ${target.endpointId} cannot be read`)
    const { refresh_token } = credentials.value
    const answer = yield* call.ask({
      method: "POST",
      url: `${rootOf(target)}/services/oauth2/token`,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: refresh_token === undefined ? "client_credentials" : "refresh_token",
        ...credentials.value
      }).toString()
    })
    const read = readToken(answer.text)
    if (answer.status !== 200 || Option.isNone(read)) {
      return yield* Effect.fail(refused({ ...answer, text: "" }, `Salesforce gave no access token: ${answer.status}`))
    }
    const token = Redacted.make(read.value.access_token)
    remember(tokens, keyOf(target), token, mostTokens)
    return token
  })

  const send = (
    target: CrmTarget,
    token: Redacted.Redacted,
    method: CrmRequest["method"],
    path: string,
    body?: object
  ) =>
    call.ask({
      method,
      url: `${rootOf(target)}${api}${path}`,
      headers: {
        Authorization: `Bearer ${Redacted.value(token)}`,
        ...body === undefined ? {} : { "Content-Type": "application/json" }
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })

  /** A success, or how the push ends; a token that has expired is renewed once. */
  const ask = Effect.fnUntraced(function*(
    target: CrmTarget,
    method: CrmRequest["method"],
    path: string,
    body?: object
  ): Effect.fn.Return<CrmAnswer, PushOutcome> {
    const kept = tokens.get(keyOf(target))
    const first = yield* send(target, kept ?? (yield* signIn(target)), method, path, body)
    const answer = first.status === 401 && kept !== undefined
      ? yield* send(target, yield* signIn(target), method, path, body)
      : first
    if (answer.status === 200) return answer
    const code = Option.match(readRefusal(answer.text), { onNone: () => "", onSome: ([{ errorCode }]) => errorCode })
    if (answer.status === 429 || code === "REQUEST_LIMIT_EXCEEDED") {
      const wait = retryAfter(answer, yield* Clock.currentTimeMillis) ?? afterLimit
      return yield* postponed(wait, `Salesforce asks to wait: ${code === "" ? "too many requests" : code}`)
    }
    return yield* Effect.fail(refused(answer, `${path.split("?")[0]} answered ${answer.status} ${code}`.trim()))
  })

  /** The ids of the records there, when all of them are written. */
  const write = Effect.fnUntraced(function*(target: CrmTarget, path: string, records: ReadonlyArray<object>) {
    if (records.length === 0) return []
    const answer = yield* ask(target, "PATCH", `/composite/sobjects${path}`, { allOrNone: false, records })
    const results = readResults(answer.text)
    if (Option.isNone(results)) return yield* Effect.fail(refused(answer, `${path} answered what cannot be read`))
    const failure = results.value.find(({ success }) => !success)
    if (failure !== undefined) {
      return yield* Effect.fail(refused(answer, `${path} was done in part: ${failure.errors[0]?.statusCode ?? ""}`))
    }
    return results.value.flatMap(({ id }) => id ?? [])
  })

  const query = (target: CrmTarget, text: string) => ask(target, "GET", `/query?q=${encodeURIComponent(text)}`)

  const writePeople = Effect.fnUntraced(function*(
    target: CrmTarget,
    contacts: Arr.NonEmptyReadonlyArray<CrmContact>,
    account: string
  ) {
    const addresses = contacts.flatMap(({ email }) => email ?? [])
    const answer = yield* query(
      target,
      "SELECT Id, Email, service_contact_id__c FROM Contact WHERE service_contact_id__c IN " +
        listed(contacts.map(({ id }) => id)) + (addresses.length === 0 ? "" : ` OR Email IN ${listed(addresses)}`)
    )
    const found = readPeople(answer.text)
    if (Option.isNone(found)) return yield* Effect.fail(refused(answer, "the query was answered what cannot be read"))
    const { records } = found.value
    const ours = new Set(records.map(({ service_contact_id__c }) => service_contact_id__c))
    const strangers = new Map(
      records.flatMap(({ Email, Id, service_contact_id__c }) =>
        Email === null || service_contact_id__c !== null ? [] : [[Email.toLowerCase(), Id] as const]
      )
    )
    const strangerOf = ({ email, id }: CrmContact) => email === null || ours.has(id) ? undefined : strangers.get(email)
    const fields = (contact: CrmContact) => recordOf("Contact", personOf(contact, account))
    yield* write(
      target,
      "",
      contacts.flatMap((each) => {
        const id = strangerOf(each)
        return id === undefined ? [] : [{ ...fields(each), id }]
      })
    )
    yield* write(
      target,
      "/Contact/service_contact_id__c",
      contacts.filter((each) => strangerOf(each) === undefined).map(fields)
    )
  })

  const push = Effect.fnUntraced(function*(target: CrmTarget, settings: SalesforceSettings, lead: CrmLead) {
    const [account = ""] = yield* write(target, "/Account/service_property_id__c", [
      recordOf("Account", accountOf(lead))
    ])
    yield* Effect.forEach(Arr.chunksOf(lead.contacts, batchLimit), (some) => writePeople(target, some, account), {
      discard: true
    })
    const now = yield* Clock.currentTimeMillis
    const [opportunity = ""] = yield* write(target, "/Opportunity/service_property_id__c", [
      recordOf("Opportunity", opportunityOf(lead, settings, account, now))
    ])
    const done: PushOutcome = {
      _tag: "Delivered",
      status: 200,
      answer: saying(`account ${account}, opportunity ${opportunity}`)
    }
    return done
  })

  const check = Effect.fnUntraced(function*(target: CrmTarget, settings: SalesforceSettings) {
    yield* query(target, "SELECT service_property_id__c FROM Account LIMIT 1")
    yield* query(target, "SELECT service_property_id__c FROM Opportunity LIMIT 1")
    yield* query(target, "SELECT service_contact_id__c FROM Contact LIMIT 1")
    const answer = yield* query(target, "SELECT ApiName FROM OpportunityStage WHERE IsActive = true")
    const stages = Option.match(readStages(answer.text), {
      onNone: (): ReadonlyArray<string> => [],
      onSome: ({ records }) => records.map(({ ApiName }) => ApiName)
    })
    const missing = Object.values(settings.stages).find((stage) => !stages.includes(stage))
    if (missing !== undefined) {
      return yield* Effect.fail(refused({ ...answer, text: "" }, `Salesforce has no active stage ${missing}`))
    }
    const done: PushOutcome = { _tag: "Delivered", status: 200 }
    return done
  })

  return {
    push: (target: CrmTarget, settings: SalesforceSettings, lead: CrmLead) => ended(push(target, settings, lead)),
    check: (target: CrmTarget, settings: SalesforceSettings) => ended(check(target, settings))
  }
}
