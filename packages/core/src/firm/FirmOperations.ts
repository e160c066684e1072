/** What can be asked of owner and management firms: the operations, as both hosts offer them. */
import { Schema } from "effect"
import { AskedCounties } from "../coverage/AskedCounties.ts"
import { NotFound, NoVisibleTerritory } from "../coverage/CoverageRefusals.ts"
import { limitRefusals } from "../limit/LimitRefusals.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { Cursor } from "../operation/PageCursor.ts"
import { Uuid } from "../operation/Uuid.ts"
import { SearchedScope } from "../property/CountyTable.ts"
import { FirmRole } from "./Firm.ts"

const Text = Schema.NullOr(Schema.String)

/** POST /organizations/browse. */
export const BrowseOrganizations = Operation.make("service_browse_organizations", {
  title: "Browse firms",
  description:
    "Free. Owner and management firms with properties in your area, by role, county, name and number of properties. " +
    "Managers and beneficial owners of locked properties are left out.",
  input: Schema.Struct({
    role: Schema.optionalKey(Schema.Literals([...FirmRole.literals, "any"])),
    countyFips: Schema.optionalKey(AskedCounties),
    query: Schema.optionalKey(BrowsePage.Fragment.annotate({ description: "Part of the firm's name." })),
    minProperties: Schema.optionalKey(BrowsePage.Count),
    sort: Schema.optionalKey(Schema.Literals(["propertyCount", "name"])),
    ...BrowsePage.fields
  }),
  output: Schema.Struct({
    organizations: Schema.Array(Schema.Struct({
      organization_id: Schema.String,
      name: Schema.String,
      domain: Text,
      roles: Schema.Array(FirmRole),
      property_count_in_territory: Schema.Int,
      researched: Schema.Boolean
    })),
    total_matching: Schema.Int,
    next_cursor: Text,
    scope: SearchedScope,
    ...noteField
  }),
  refusals: [NoVisibleTerritory, InvalidCursor],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})

/** GET /organizations/{id}. */
export const GetOrganization = Operation.make("service_get_organization", {
  title: "Read a firm",
  description:
    "Free. One owner or management firm: socials, how many properties it has in your area, up to ten of them, and its " +
    "people by role, without names. May draw the records allowance.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Struct({
    organization: Schema.Struct({
      organization_id: Schema.String,
      name: Schema.String,
      domain: Text,
      roles: Schema.Array(FirmRole),
      socials: Schema.Struct({ linkedin: Text, twitter: Text, facebook: Text, crunchbase: Text })
    }),
    property_count_in_territory: Schema.Int,
    researched_property_count: Schema.Int,
    revealed_property_count: Schema.Int,
    properties: Schema.Array(Schema.Struct({
      property_id: Schema.String,
      address: Text,
      city: Text,
      state: Text,
      role: FirmRole
    })),
    properties_truncated: Schema.Boolean,
    contacts_by_role: Schema.Array(Schema.Struct({ role_type: Text, count: Schema.Int }))
  }),
  refusals: [NotFound, ...limitRefusals],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "meter"
})

/** So many ties a page, at most. */
export const defaultTies = 200

/** GET /organizations/{id}/properties. */
export const GetOrganizationProperties = Operation.make("service_get_organization_properties", {
  title: "A firm's properties",
  description:
    "Free. Every property of a firm, as far as it is revealed or public; outside your area only state and county.",
  input: Schema.Struct({
    id: Uuid,
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: defaultTies })).annotate({
        description: "Default 200."
      })
    ),
    cursor: Schema.optionalKey(Cursor)
  }),
  output: Schema.Struct({
    organization: Schema.Struct({ id: Schema.String, name: Schema.String }),
    properties: Schema.Array(Schema.Union([
      Schema.Struct({
        in_your_territory: Schema.Literal(true),
        property_id: Schema.String,
        address: Text,
        city: Text,
        state: Text,
        role: FirmRole,
        attributionType: Schema.String
      }),
      Schema.Struct({
        in_your_territory: Schema.Literal(false),
        state: Text,
        county_fips: Schema.String,
        role: FirmRole,
        attributionType: Schema.String
      })
    ])),
    next_cursor: Text
  }),
  refusals: [NotFound, InvalidCursor],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})
