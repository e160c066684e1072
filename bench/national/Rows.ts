/**
 * Made-up rows of every table that searches read, as queries: each row follows from its number and the seed alone, so that
 * any part of them can be made by itself, and the same twice.
 *
 * The properties of a county stand side by side, as a source that is loaded county by county leaves them. Half of them
 * are researched and have up to four people, most of whom work near by and some in the whole country; three fifths
 * are owned by a firm, three tenths managed by one; a fifth has changed.
 */
import { createHash } from "node:crypto"
import * as Counties from "./Counties.ts"
import * as Words from "./Words.ts"

export interface Data {
  readonly properties: number
  readonly seed: number
}

/** The rows of a table: its columns, each with what is in it, and where they come from. */
export interface Made {
  readonly columns: Readonly<Record<string, string>>
  readonly from: string
}

/** The rows from `first` to `last`, counted from 1. */
export interface Range {
  readonly first: number
  readonly last: number
}

export const people = ({ properties }: Data): number => Math.max(1, Math.ceil(properties * 0.6))
export const firms = ({ properties }: Data): number => Math.max(1, Math.ceil(properties * 0.3))

type Kind = "property" | "person" | "firm" | "change"

/** The order of ids tells nothing, as with those of a service that grew. */
export const idOf = (kind: Kind, n: number, seed: number): string =>
  createHash("md5").update(`${kind} ${n} of ${seed}`).digest("hex").replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    "$1-$2-$3-$4-$5"
  )

/** The same in SQL, of an expression. */
const id = (kind: Kind, n: string, { seed }: Data): string => `md5('${kind} ' || ${n} || ' of ${seed}')::uuid`

const draws = (data: Data, of = "n") => {
  /** A number in [0, 1), by the row and the number of the draw. */
  const random = (draw: number | string) =>
    `((hashint8extended((${of})::bigint, ${data.seed} * 1000::bigint + ${draw}) & 2147483647)::float8 / 2147483648)`
  const whole = (draw: number, low: number, high: number) =>
    `(${low} + floor(${random(draw)} * ${high - low + 1}))::int`
  /** A whole number below the limit; low ones are common. */
  const skewed = (draw: number | string, limit: number, skew: number) =>
    `floor(${limit} * power(${random(draw)}, ${skew}))::int`
  const sometimes = (draw: number, share: number, value: string) =>
    `CASE WHEN ${random(draw)} < ${share} THEN ${value} END`
  const oneOf = (draw: number, values: ReadonlyArray<string>) => Words.oneOf(values, whole(draw, 0, values.length - 1))
  return { oneOf, random, skewed, sometimes, whole }
}

const categories = [
  "Retail",
  "Office",
  "Industrial",
  "Multifamily",
  "Multifamily",
  "Land",
  "Hospitality",
  "Self Storage",
  "Retail",
  "Healthcare"
]

const isResearched = (data: Data) => `(${draws(data).random(40)} < 0.5)`

/** How many of all firms or people are at work in the whole country; the others are at work near by. */
const travelling = (all: number) => Math.ceil(all / 100)

/** One of those who are at work near property `n`. */
const near = ({ properties }: Data, all: number, place: string): string =>
  `${travelling(all)} + 1 + ((n - 1) * ${all} / ${properties} + ${place}) % ${Math.max(1, all - travelling(all))}`

/** How many people property `n` has. */
const staff = (data: Data) => `CASE WHEN ${isResearched(data)} THEN ${draws(data).whole(41, 0, most)} ELSE 0 END`
const most = 4

/** The person `j` of property `n`, counted from 1; no two of a property are the same. */
const personOf = (data: Data, j: number): string => {
  const { random, skewed, whole } = draws(data)
  const all = people(data)
  const neighbour = near(data, all, `${4 * j} + ${whole(60 + j, 0, 3)}`)
  return j === 1
    ? `CASE WHEN ${random(60)} < 0.2 THEN 1 + ${skewed(59, travelling(all), 3)} ELSE ${neighbour} END`
    : neighbour
}

const places = Array.from({ length: most }, (_, index) => index + 1)

export const propertyKey = "fips || '-S' || lpad(n::text, 10, '0')"
const researchedAt = "timestamptz '2025-01-01' + n * interval '1.000001 seconds'"

const roleTypes = ["property_manager", "asset_manager", "facilities_manager", "owner_principal", "leasing_agent"]
const roleOf = (data: Data, person: string) => draws(data, person).oneOf(3, roleTypes)
const hasEmail = (data: Data, person: string) => `(${draws(data, person).random(4)} < 0.7)`
const hasPhone = (data: Data, person: string) => `(${draws(data, person).random(5)} < 0.5)`

/**
 * `n` with its county, and with what several columns are made of, each made once. $1: the counties, as JSON.
 */
const numbered = (data: Data, { first, last }: Range, more: Readonly<Record<string, string>> = {}) =>
  `(
    SELECT numbered.*, fips, state, south, west${
    Object.entries(more).map(([name, made]) => `, ${made} AS ${name}`).join("")
  }
    FROM (
      SELECT n, floor(${Counties.count} * power((n::float8 - 0.5) / ${data.properties}, ${Counties.skew}::float8))::int AS k
      FROM generate_series(${first}::bigint, ${last}) AS n
    ) AS numbered
    JOIN json_to_recordset($1::json) AS county (k int, fips text, state text, south float8, west float8) USING (k)
    OFFSET 0
  ) AS made`

const staffed = (data: Data) => ({
  people: staff(data),
  ...Object.fromEntries(places.map((j) => [`person_${j}`, personOf(data, j)]))
})

/** How many of a property's people something is true of. */
const having = (test: (person: string) => string) =>
  places.map((j) => `(people >= ${j} AND ${test(`person_${j}`)})::int`).join(" + ")

export const properties = (data: Data, range: Range): Made => {
  const { oneOf, random, skewed, sometimes, whole } = draws(data)
  const degrees = (corner: string, draw: number) =>
    `round((${corner} + ${Counties.side} * ${random(draw)})::numeric, 6)::float8`
  return {
    columns: {
      id: id("property", "n", data),
      key: propertyKey,
      county_fips: "fips",
      address: "street",
      city: Words.word(`(${whole(2, 0, 8)} + k * 7) % ${Words.words}`),
      state: "state",
      zip: `lpad((10000 + k * 30 + ${whole(3, 0, 29)})::text, 5, '0')`,
      county: "'Sample ' || k",
      lat: degrees("south", 4),
      lon: degrees("west", 5),
      apn: "lpad(n::text, 10, '0')",
      parcel_numbers: "ARRAY[lpad(n::text, 10, '0')]",
      lot_sqft: sometimes(7, 0.9, `2000 + ${whole(8, 0, 400_000)}`),
      building_sqft: sometimes(10, 0.9, `800 + ${skewed(9, 250_000, 3)}`),
      footprint_area: sometimes(11, 0.6, whole(12, 700, 90_000)),
      roof_area_sqft: sometimes(13, 0.4, whole(14, 700, 90_000)),
      landscapable_sqft: sometimes(15, 0.3, whole(16, 100, 200_000)),
      year_built: sometimes(17, 0.85, whole(18, 1890, 2024)),
      effective_year_built: sometimes(19, 0.2, whole(20, 1950, 2024)),
      num_floors: sometimes(21, 0.7, `1 + ${skewed(22, 30, 3)}`),
      total_units: sometimes(23, 0.4, `1 + ${skewed(24, 400, 3)}`),
      primary_construction_type: sometimes(25, 0.5, oneOf(26, ["Steel", "Masonry", "Wood Frame", "Concrete"])),
      roof_cover: sometimes(27, 0.3, oneOf(28, ["Metal", "Shingle", "Membrane"])),
      heating_type: sometimes(29, 0.4, oneOf(30, ["Forced Air", "Radiant", "Heat Pump"])),
      has_pool: sometimes(31, 0.5, `${random(32)} < 0.1`),
      has_sprinklers: sometimes(33, 0.5, `${random(34)} < 0.4`),
      asset_category: sometimes(35, 0.95, oneOf(36, categories)),
      common_name: sometimes(
        37,
        0.15,
        `${Words.word(whole(38, 0, Words.words - 1))} || ' ' || ${oneOf(39, ["Plaza", "Center", "Tower", "Commons"])}`
      ),
      record_owner: sometimes(43, 0.97, "owner"),
      owner_name: sometimes(43, 0.97, "upper(owner)"),
      raw_address: "upper(street)",
      total_parval: sometimes(44, 0.9, `40000 + 1000 * ${skewed(45, 90_000, 4)}`),
      last_sale_date: sometimes(46, 0.7, `date '1990-01-01' + ${whole(47, 0, 12_900)}`),
      last_sale_price: sometimes(46, 0.5, `1000 * ${whole(48, 40, 90_000)}`),
      enrichment_status: `CASE WHEN ${isResearched(data)} THEN 'complete' ELSE 'not_started' END`,
      last_enriched_at: `CASE WHEN ${isResearched(data)} THEN ${researchedAt} END`,
      updated_at: `timestamptz '2025-06-01' + ${whole(49, 0, 20_000_000)} * interval '1 second'`,
      contact_count: "people",
      contacts_with_email: having((person) => hasEmail(data, person)),
      contacts_with_phone: having((person) => hasPhone(data, person)),
      contact_role_types: `CASE WHEN people > 0 THEN (
        SELECT array_agg(DISTINCT role) FROM unnest(ARRAY[${places.map((j) => roleOf(data, `person_${j}`)).join(", ")}])
          WITH ORDINALITY AS of (role, j) WHERE j <= people) ELSE '{}' END`
    },
    from: numbered(data, range, {
      ...staffed(data),
      street: `${whole(50, 1, 9999)} || ' ' || ${Words.street(skewed(51, Words.streets, 3))}`,
      owner: Words.owner(skewed(52, Words.owners, 2))
    })
  }
}

export const research = (data: Data, { first, last }: Range): Made => {
  const { sometimes, whole } = draws(data)
  const word = (draw: number) => Words.word(whole(draw, 0, Words.words - 1))
  return {
    columns: {
      property_id: id("property", "n", data),
      beneficial_owner: `${word(70)} || ' Family'`,
      beneficial_owner_type: "'private_company'",
      management_company: sometimes(71, 0.6, `${word(72)} || ' Management'`),
      ai_rationale: "'Made up for measurements.'",
      researched_at: researchedAt
    },
    from: `generate_series(${first}::bigint, ${last}) AS n WHERE ${isResearched(data)}`
  }
}

export const contactTies = (data: Data, range: Range): Made => ({
  columns: {
    property_id: id("property", "n", data),
    contact_id: id("person", "person", data),
    role: roleOf(data, "person"),
    relationship_status: "'current'",
    county_fips: "fips"
  },
  from: `${numbered(data, range, staffed(data))}
    CROSS JOIN LATERAL unnest(ARRAY[${places.map((j) => `person_${j}`).join(", ")}]) WITH ORDINALITY AS of (person, j)
    WHERE j <= people`
})

export const contacts = (data: Data, { first, last }: Range): Made => {
  const { oneOf, skewed, sometimes, whole } = draws(data)
  return {
    columns: {
      id: id("person", "n", data),
      key: "'person-' || n",
      full_name: `${Words.word(whole(1, 0, Words.words - 1))} || ' Sample ' || n`,
      title: oneOf(2, ["Property Manager", "Asset Manager", "Owner", "Leasing Agent", "Chief Engineer", "Director"]),
      role_type: roleOf(data, "n"),
      seniority: oneOf(6, ["manager", "director", "vp", "c_suite", "unknown"]),
      employer_name: `${Words.word(skewed(7, Words.words, 2))} || ' Management'`,
      firm_id: sometimes(8, 0.6, id("firm", `1 + ${skewed(9, firms(data), 3)}`, data)),
      email: `CASE WHEN ${hasEmail(data, "n")} THEN 'person-' || n || '@example.com' END`,
      email_validation_status: `CASE WHEN ${hasEmail(data, "n")} THEN 'valid' ELSE 'unvalidated' END`,
      phone: `CASE WHEN ${hasPhone(data, "n")} THEN '+1555' || lpad((n % 10000000)::text, 7, '0') END`
    },
    from: `generate_series(${first}::bigint, ${last}) AS n`
  }
}

export const firmRows = (data: Data, { first, last }: Range): Made => ({
  columns: {
    id: id("firm", "n", data),
    key: "'firm-' || n",
    name: Words.owner(`(n * 7919 % ${Words.owners})::int`)
  },
  from: `generate_series(${first}::bigint, ${last}) AS n`
})

/** Of properties; most firms are at work near by, and those of low numbers in the whole country. */
export const firmTies = (data: Data, range: Range): Made => {
  const { random, skewed, whole } = draws(data)
  const firm = (draw: number, everywhere: number) =>
    id(
      "firm",
      `CASE WHEN ${random(draw)} < ${everywhere} THEN 1 + ${skewed(draw + 1, travelling(firms(data)), 3)}
        ELSE ${near(data, firms(data), whole(draw + 2, 0, 9))} END`,
      data
    )
  return {
    columns: {
      property_id: id("property", "n", data),
      firm_id: "tie.firm",
      role: "tie.role",
      attribution_type: "tie.attribution",
      county_fips: "fips"
    },
    from: `${numbered(data, range)} CROSS JOIN LATERAL (VALUES
        (${random(83)} < 0.6, ${firm(80, 0.1)}, 'owner', 'county_record'),
        (${random(87)} < 0.3, ${firm(84, 0.3)}, 'property_manager', 'management_research')
      ) AS tie (tied, firm, role, attribution) WHERE tied`
  }
}

/** Of a fifth of the properties. */
export const changes = (data: Data, range: Range): Made => {
  const { oneOf, random, whole } = draws(data)
  return {
    columns: {
      id: id("change", "n", data),
      key: "'change-' || n",
      kind: oneOf(90, ["ownership_transfer", "sale", "manager_change"]),
      property_id: id("property", "n", data),
      detected_at: `timestamptz '2026-01-01' - ${whole(91, 0, 60_000_000)} * interval '1 second'`,
      source: "'county_record'",
      county_fips: "fips"
    },
    from: `${numbered(data, range)} WHERE ${random(92)} < 0.2`
  }
}
