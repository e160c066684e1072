/**
 * Made-up rows of the kinds of `freehold import` that are about properties: firms with four ties, contacts with two,
 * research and sales. The properties are those of `SampleRows`; the same number gives the same row.
 */
import { keyOf } from "./SampleRows.ts"
import { randomOf } from "./SeededRandom.ts"

const first = ["Ada", "Bela", "Chidi", "Dara", "Emil", "Fadila", "Goran", "Hana"] as const
const last = ["Ashgrove", "Birch", "Caldera", "Dunmore", "Elmwood", "Fenwick", "Gables", "Hollis"] as const
const titles = ["Property Manager", "Facilities Director", "Chief Engineer", "Asset Manager"] as const
const firmNames = ["Copperline", "Dovecote", "Everfield", "Fairbank", "Glasshouse", "Harborview"] as const
const roles = ["owner", "property_manager", "operator", "tenant"] as const

export type Kind = "firms" | "contacts" | "research" | "changes"

/** The row of a number; `properties` there are. */
export const rowOf: Readonly<Record<Kind, (n: number, properties: number) => object>> = {
  firms: (n, properties) => {
    const random = randomOf(n)
    return {
      key: `made-up:firm:${n}`,
      name: `${random.of(firmNames)} ${n} Holdings LLC`,
      domain: `firm-${n}.example.com`,
      phone: `+1 555 ${1_000_000 + random.below(9_000_000)}`,
      properties: roles.map((role) => ({
        propertyKey: keyOf(1 + random.below(properties)),
        role,
        attributionType: "county_record"
      }))
    }
  },
  contacts: (n, properties) => {
    const random = randomOf(n)
    return {
      key: `made-up:person:${n}`,
      fullName: `${random.of(first)} ${random.of(last)} ${n}`,
      title: random.of(titles),
      roleType: "property_manager",
      employerName: `${random.of(firmNames)} ${random.below(50_000)} LLC`,
      email: `person-${n}@example.com`,
      phone: random.sometimes(0.6, () => `+1 555 ${1_000_000 + random.below(9_000_000)}`),
      properties: [1, 2].map(() => ({ propertyKey: keyOf(1 + random.below(properties)) }))
    }
  },
  research: (n, properties) => {
    const random = randomOf(n)
    return {
      propertyKey: keyOf(1 + (n - 1) % properties),
      beneficialOwner: `${random.of(last)} Family ${n}`,
      managementCompany: `${random.of(firmNames)} ${random.below(50_000)} LLC`,
      aiRationale: `Made up: the filing of number ${n} names the family, and its letterhead the manager.`,
      researchedAt: "2026-01-02T00:00:00Z"
    }
  },
  changes: (n, properties) => {
    const random = randomOf(n)
    const day = `2026-0${1 + random.below(9)}-1${random.below(10)}`
    return {
      key: `made-up:sale:${n}`,
      kind: "sale",
      propertyKey: keyOf(1 + random.below(properties)),
      detectedAt: day,
      effectiveDate: day,
      source: "county_record",
      before: { date: "2010-05-06", price: 100_000 + random.below(900_000) },
      after: { date: day, price: 200_000 + random.below(1_900_000) }
    }
  }
}
