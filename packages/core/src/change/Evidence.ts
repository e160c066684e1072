/**
 * What changed, before and after, as far as the organization's plan and unlocks show it.
 *
 * | kind               | withheld                                                                    | flag             |
 * | ------------------ | --------------------------------------------------------------------------- | ---------------- |
 * | ownership_transfer | the name of an owner who asked not to be listed                             | owner_withheld   |
 * | ownership_transfer | the effective date, without the premium plan                                | dates_withheld   |
 * | sale               | date, price and effective date, without the premium plan                    | dates_withheld   |
 * | manager_change     | both firms, unless the property is unlocked or covered                      | manager_withheld |
 *
 * Employer and title of a person are free data. decisions, section 16.
 */
import { Schema } from "effect"
import * as Territory from "../coverage/Territory.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Change, ChangeSide } from "./Changes.ts"
import type { SignalKind } from "./SignalKind.ts"

const Text = Schema.NullOr(Schema.String)

const Side = Schema.NullOr(Schema.Union([
  Schema.Struct({ value: Text, owner_type: Text }),
  Schema.Struct({ date: Text, price: Schema.NullOr(Schema.Finite), document_type: Text }),
  Schema.Struct({ value: Text, organization_id: Text }),
  Schema.Struct({ value: Text })
]))

export const Evidence = Schema.Struct({
  field: Schema.String,
  before: Side,
  after: Side,
  observed_at: Schema.String,
  effective_date: Text,
  source_kind: Schema.String,
  manager_withheld: Schema.Boolean,
  dates_withheld: Schema.Boolean,
  owner_withheld: Schema.Boolean
}).annotate({ identifier: "ChangeEvidence" })
export type Evidence = typeof Evidence.Type

const fields: Readonly<Record<SignalKind, string>> = {
  ownership_transfer: "record_owner",
  sale: "last_sale",
  manager_change: "management_company",
  contact_departure: "employer",
  contact_title_change: "title",
  contact_employer_change: "employer"
}

/** What a supplier or a customer told is research as far as a reader is concerned. */
const sourceKinds: Readonly<Record<Change["source"], string>> = {
  county_record: "county_record",
  research: "research",
  provider: "research",
  customer: "research",
  web: "web"
}

const text = (side: ChangeSide, name: string): string | null => {
  const value = side[name] ?? null
  return value === null ? null : String(value)
}

const number = (side: ChangeSide, name: string): number | null => {
  const value = side[name] ?? null
  return typeof value === "number" ? value : null
}

export const evidenceOf = (change: Change, organization: Organization): Evidence => {
  const { countyFips, kind, suppressed } = change
  const premium = organization.features.premium_values
  const revealed = change.unlocked || countyFips !== null && Territory.covers(organization, countyFips)
  const dates_withheld = !premium && (kind === "sale" || kind === "ownership_transfer")
  const manager_withheld = !revealed && kind === "manager_change"
  const owner_withheld = kind === "ownership_transfer" && (suppressed.before || suppressed.after)

  const show = (side: ChangeSide | null, isSuppressed: boolean): Evidence["before"] => {
    if (side === null) return null
    switch (kind) {
      case "ownership_transfer":
        return { value: isSuppressed ? null : text(side, "value"), owner_type: text(side, "owner_type") }
      case "sale":
        return {
          date: premium ? text(side, "date") : null,
          price: premium ? number(side, "price") : null,
          document_type: text(side, "document_type")
        }
      case "manager_change":
        return revealed
          ? { value: text(side, "value"), organization_id: text(side, "organization_id") }
          : null
      case "contact_departure":
      case "contact_employer_change":
        return { value: text(side, "value"), organization_id: text(side, "organization_id") }
      case "contact_title_change":
        return { value: text(side, "value") }
    }
  }
  return {
    field: fields[kind],
    before: show(change.before, suppressed.before),
    after: show(change.after, suppressed.after),
    observed_at: change.detectedAt,
    effective_date: dates_withheld ? null : change.effectiveDate,
    source_kind: sourceKinds[change.source],
    manager_withheld,
    dates_withheld,
    owner_withheld
  }
}
