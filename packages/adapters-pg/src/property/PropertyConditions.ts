/**
 * The conditions of a search by location, as conditions of a query on `p` (property).
 *
 * Every condition on an organization's own rows is a set of ids that the database makes once, or an `EXISTS` that it can
 * join, never a look-up that must be made for each property.
 */
import { type Area, contains } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { withoutAccents } from "@freehold/core/operation/Accents"
import { assetCategoryNamed } from "@freehold/core/property/AssetCategory"
import { type Box, boxAround, plainBoxes } from "@freehold/core/property/Geography"
import type { ChoiceField, Condition, RangeField, SortColumn } from "@freehold/core/property/PropertySearch"
import { rangeKinds } from "@freehold/core/property/SearchOrder"
import { DateTime } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { isWithdrawn } from "../change/Withdrawn.ts"
import * as Visibility from "../coverage/Visibility.ts"
import * as AccentFunctions from "../database/AccentFunctions.ts"
import { containing, storable } from "../database/StorableText.ts"
import * as Trigrams from "../database/Trigrams.ts"
import * as GriddedArea from "./GriddedArea.ts"
import { columnOf } from "./PropertyRowPg.ts"
import * as WideArea from "./WideArea.ts"

type Fragment = Statement.Fragment

/** Few cities are asked about one by one, as indexes know them. */
const mostAlternatives = 20

/** The number columns that are no integers. */
const fractional: ReadonlySet<RangeField> = new Set(["numFloors", "totalParval"])

/** The column of a field of `p`. */
export const column = (field: SortColumn | RangeField | ChoiceField): string => `p.${columnOf(field)}`

/** The conditions on an organization's own rows about properties. */
type OwnCondition = Extract<Condition, { _tag: "PipelineStatuses" | "CustomerStatuses" | "List" }>

/** Those rows, from their table on. */
interface OwnRows {
  readonly rows: Fragment
  /** Which property each is about. */
  readonly property: Fragment
}

/** What a condition excludes. */
export interface Excluded {
  /** The ids of what the organization's own rows tell. */
  readonly own: Fragment
  /** Which properties `p` its coverage tells; null: none. */
  readonly covered: Fragment | null
}

/** The condition on the research that it sees of them. */
type ResearchCondition = Extract<Condition, { _tag: "ResearchStates" }>

/** Whether a property meets the condition when it has none of the rows that decide, and not when it has one. */
export const isExcluding = (condition: OwnCondition | ResearchCondition): boolean => {
  switch (condition._tag) {
    case "List":
      return !condition.member
    case "CustomerStatuses":
      return condition.statuses.includes("none")
    case "PipelineStatuses":
      return condition.statuses.includes("none")
    case "ResearchStates":
      return condition.states.includes("none")
  }
}

const isUnrevealed = (states: ReadonlyArray<string>): boolean =>
  states.includes("none") && states.includes("locked") && !states.includes("revealed")

/** The condition of each kind, made with a client's `sql`. */
export const make = (sql: SqlClient.SqlClient) => {
  const { held, inArea, no, or, researched, unrevealed, yes } = Visibility.make(sql)
  const inChanges = Visibility.make(sql, { property: "c.property_id", county: "c.county_fips" }).inArea
  const wideArea = WideArea.make(sql)
  const not = (fragment: Fragment) => sql`NOT (${fragment})`

  /** Where an index finds what may lie in the box. `counties`: those that it touches, if that is known: then nobody else asks whether they are visible. */
  const around = (visible: Area, box: Box, counties: ReadonlyArray<string> | null): Fragment => {
    const { east, north, south, west } = box
    return counties !== null || WideArea.isWide(box)
      ? wideArea.mayHold(visible, box, counties)
      : sql`point(p.lon, p.lat) <@ box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`
  }
  const inBox = (visible: Area, box: Box): Fragment =>
    or(plainBoxes(box).map((each) => sql.and([around(visible, each, null), wideArea.holds(each)])))

  const within = (visible: Area, area: GriddedArea.GriddedArea | null): Fragment => {
    if (area === null) return no
    const box = GriddedArea.boxOf(area)
    return sql.and([
      area.isReadWhole ? inArea(visible) : around(visible, box, area.counties),
      wideArea.isHeld({ box, within: area })
    ])
  }

  // A column must be compared as what it is: the planner knows nothing of the spread of a cast one.
  const numberType = (field: RangeField, bound: number | string) =>
    sql.literal(fractional.has(field) || !Number.isInteger(bound) ? "float8" : "int8")

  const bounds = ({ field, max, min }: Extract<Condition, { _tag: "Range" }>): Fragment => {
    const value = sql.literal(column(field))
    if (min === null && max === null) return sql`${value} IS NOT NULL`
    switch (rangeKinds[field]) {
      case "number":
        return sql.and([
          ...min === null ? [] : [sql`${value} >= ${min}::${numberType(field, min)}`],
          ...max === null ? [] : [sql`${value} <= ${max}::${numberType(field, max)}`]
        ])
      case "date":
        return sql.and([
          ...min === null ? [] : [sql`${value} >= ${min}::date`],
          ...max === null ? [] : [sql`${value} <= ${max}::date`]
        ])
      case "time":
        return sql.and([
          ...min === null ? [] : [sql`${value} >= ${min}::timestamptz`],
          ...max === null
            ? []
            : [
              sql`${value} < ${
                DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(max), { milliseconds: 1 }))
              }::timestamptz`
            ]
        ])
    }
  }

  const oneOf = ({ field, values }: Extract<Condition, { _tag: "OneOf" }>): Fragment => {
    const value = sql.literal(column(field))
    // A stored category is always spelled as in the list of categories; its bare column is in the indexes.
    return field === "assetCategory"
      ? sql`${value} = ANY(${values.flatMap((name) => assetCategoryNamed(name) ?? [])}::text[])`
      : sql`lower(${value}) = ANY(${values.map((text) => storable(text).toLowerCase())}::text[])`
  }

  /** Whatever accents it has, or the text has: only those of letters beyond ASCII have any. */
  const holds = (column: string, text: string): Fragment => {
    const pattern = containing(withoutAccents(text))
    return sql`(lower(${sql.literal(column)}) LIKE ${pattern}
      OR ${sql.literal(`${AccentFunctions.beyondAscii(column)} > 0 AND ${AccentFunctions.plain(column)}`)}
        LIKE ${pattern})`
  }

  /** Whether one of the fields may hold it, as an index of them all tells: to be asked of most of all properties, not of some whose names another index has. */
  const mayHold = (text: string): ReadonlyArray<Fragment> => {
    const plain = withoutAccents(text)
    const all = "p.search_text_with_name"
    return Trigrams.has(plain)
      ? [sql`(${sql.literal(all)} LIKE ${containing(plain)} OR ${sql.literal(AccentFunctions.beyondAscii(all))} > 0)`]
      : []
  }

  const orNull = (condition: Fragment, field: string, orUnknown: boolean): Fragment =>
    orUnknown ? sql`(${condition} OR ${sql.literal(`p.${columnOf(field)}`)} IS NULL)` : condition

  /** Never compared with a boolean: only a bare EXISTS is planned as a join. */
  const decidedBy = (condition: OwnCondition, rows: Fragment): Fragment =>
    sql`${sql.literal(isExcluding(condition) ? "NOT " : "")}EXISTS (SELECT ${rows})`

  /** The organization's rows about properties that decide: with `none`, those of a status that was not asked for. */
  const statusRows = (
    table: "lead" | "customer_account",
    orgId: string,
    condition: Exclude<OwnCondition, { _tag: "List" }>
  ): OwnRows => ({
    property: sql.literal("own.property_id"),
    rows: sql`FROM ${sql(table)} own WHERE own.org_id = ${orgId}
      AND ${sql.literal(isExcluding(condition) ? "NOT " : "")}own.status = ANY(${condition.statuses}::text[])`
  })

  const ownRows = ({ orgId }: Viewer, condition: OwnCondition): OwnRows => {
    switch (condition._tag) {
      case "PipelineStatuses":
        return statusRows("lead", orgId, condition)
      case "CustomerStatuses":
        return statusRows("customer_account", orgId, condition)
      case "List":
        return {
          property: sql.literal("own.item_id"),
          rows: sql`FROM list_item own WHERE own.org_id = ${orgId} AND own.list_id = ${condition.listId}::uuid`
        }
    }
  }

  /** When it was researched stands in the property itself, so that none of its research is read. */
  const research = (viewer: Viewer, { states }: ResearchCondition): Fragment => {
    const [isLocked, isRevealed] = [states.includes("locked"), states.includes("revealed")]
    const known = isLocked && isRevealed ? yes : isLocked ? unrevealed(viewer) : isRevealed ? held(viewer) : no
    if (!states.includes("none")) return sql.and([researched, known])
    // What is not researched is not revealed either.
    return isLocked ? known : or([not(researched), known])
  }

  /** Many cities: each row is looked up among them, and not compared with each. */
  const inCities = (cities: ReadonlyArray<{ readonly city: string; readonly state: string | null }>): Fragment => {
    const anywhere = cities.filter(({ state }) => state === null).map(({ city }) => storable(city))
    const placed = cities.filter(({ state }) => state !== null)
    return sql`(lower(p.city) = ANY(${anywhere}::text[]) OR (lower(p.city), p.state) IN (
      SELECT * FROM unnest(${placed.map(({ city }) => storable(city))}::text[], ${
      placed.map(({ state }) => state)
    }::text[])
    ))`
  }

  const contactColumns = { any: "contact_count", email: "contacts_with_email", phone: "contacts_with_phone" }

  /** `counties`: in which alone the search looks, all visible; null: wherever the viewer sees. */
  const matches =
    (viewer: Viewer, counties: ReadonlyArray<string> | null, areas: GriddedArea.Areas) =>
    (condition: Condition): Fragment => {
      const ofMost = () => GriddedArea.has(areas, ({ isMost }) => isMost)
      switch (condition._tag) {
        case "Counties": {
          const visible = condition.countyFips.filter((countyFips) => contains(viewer.visible, countyFips))
          // A single one as an equality, so that an index that begins with the county also gives the order.
          return visible.length === 1
            ? sql`p.county_fips = ${visible[0]}`
            : sql`p.county_fips = ANY(${visible}::text[])`
        }
        case "Zips":
          return sql`p.zip = ANY(${condition.zipCodes}::text[])`
        case "Cities": {
          if (condition.cities.length > mostAlternatives) return inCities(condition.cities)
          return or(condition.cities.map(({ city, state }) =>
            state === null
              ? sql`lower(p.city) = ${storable(city)}`
              : sql`(lower(p.city) = ${storable(city)} AND p.state = ${state})`
          ))
        }
        case "Box":
          return inBox(viewer.visible, condition)
        case "Within":
          return within(viewer.visible, areas.get(condition) ?? null)
        case "Near":
          return sql.and([
            inBox(viewer.visible, boxAround(condition, condition.radiusMeters)),
            sql`great_circle_meters(p.lat, p.lon, ${condition.lat}::float8, ${condition.lon}::float8)
            <= ${condition.radiusMeters}::float8`
          ])
        case "Range":
          return orNull(bounds(condition), condition.field, condition.orUnknown)
        case "OneOf":
          return orNull(oneOf(condition), condition.field, condition.orUnknown)
        case "Contains":
          return sql.and([
            orNull(holds(column(condition.field), condition.text.toLowerCase()), condition.field, condition.orUnknown),
            ...ofMost() && !condition.orUnknown ? mayHold(condition.text.toLowerCase()) : []
          ])
        case "Is":
          return orNull(
            sql`${sql.literal(`p.${columnOf(condition.field)}`)} = ${condition.value}`,
            condition.field,
            condition.orUnknown
          )
        case "HasContact":
          // Never compared with a boolean: of that the planner knows nothing.
          return sql.literal(`p.${contactColumns[condition.which]} ${condition.value ? ">" : "<="} 0`)
        case "ResearchStates":
          return research(viewer, condition)
        case "Firm":
          return sql`EXISTS (SELECT FROM property_firm f WHERE f.property_id = p.id AND f.firm_id = ${condition.firmId}::uuid
          AND ${condition.role === null ? yes : sql`f.role = ${condition.role}`}
          AND ((f.role = 'owner' AND f.attribution_type = 'county_record') OR (${researched} AND ${held(viewer)})))`
        case "PipelineStatuses":
        case "CustomerStatuses":
        case "List": {
          const { property, rows } = ownRows(viewer, condition)
          return decidedBy(condition, sql`${rows} AND ${property} = p.id`)
        }
        case "Changed":
          // A change lies where its property does: so those of the counties are read, and not each property's.
          return sql`p.id IN (SELECT c.property_id FROM property_change c
          WHERE ${counties === null ? inChanges(viewer.visible) : sql`c.county_fips = ANY(${counties}::text[])`}
          AND c.kind = ANY(${condition.kinds}::text[])
          AND ${
            condition.since === null
              ? yes
              : sql`c.detected_at >= ${DateTime.formatIso(DateTime.makeUnsafe(condition.since))}::timestamptz`
          }
          AND NOT ${sql.literal(isWithdrawn("c.id"))})`
      }
    }

  /** What the condition excludes, where it has all but what an organization's own rows tell, or its coverage; null: it has not. */
  const excluded = (viewer: Viewer) => (condition: Condition): Excluded | null => {
    switch (condition._tag) {
      case "ResearchStates":
        return isUnrevealed(condition.states)
          ? {
            own:
              sql`SELECT r.property_id FROM property_access a JOIN property_research r ON r.property_id = a.property_id
              WHERE a.org_id = ${viewer.orgId} AND a.source = 'paid'`,
            covered: sql.and([researched, inArea(viewer.covered)])
          }
          : null
      case "PipelineStatuses":
      case "CustomerStatuses":
      case "List": {
        const { property, rows } = ownRows(viewer, condition)
        return isExcluding(condition) ? { own: sql`SELECT ${property} ${rows}`, covered: null } : null
      }
      default:
        return null
    }
  }

  return { excluded, matches }
}
