import { assert, describe, it } from "@effect/vitest"
import { operations } from "@freehold/core/catalogue/Catalogue"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { make } from "@freehold/core/operation/Operation"
import { Predicate, Result, Schema } from "effect"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { instructions } from "../src/Instructions.ts"
import * as Tools from "../src/Tools.ts"

const published = Tools.tools.map((tool) => tool.published)
const named = (name: string) => {
  const tool = published.find((each) => each.name === name)
  assert(tool !== undefined)
  return tool
}

const keywords = (schema: unknown): ReadonlyArray<readonly [string, unknown]> =>
  Array.isArray(schema)
    ? schema.flatMap(keywords)
    : Predicate.isObject(schema)
    ? Object.entries(schema).flatMap(([key, value]) => [[key, value] as const, ...keywords(value)])
    : []

describe("the list of tools", () => {
  it("holds the catalogue's tools in their fixed order", () => {
    assert.deepStrictEqual(published.map(({ name }) => name), [
      "service_describe_workspace",
      "service_lookup",
      "service_search_properties",
      "service_get_property",
      "service_find_contacts",
      "service_browse_contacts",
      "service_get_contact",
      "service_get_contact_relationships",
      "service_browse_organizations",
      "service_get_organization",
      "service_get_organization_properties",
      "service_get_changes",
      "service_reveal_property",
      "service_reveal_contact",
      "service_price_research",
      "service_research_property",
      "service_research_properties",
      "service_get_research_status",
      "service_list_research_runs",
      "service_research_contact",
      "service_research_organization",
      "service_find_email",
      "service_deep_research_contact",
      "service_draft_email",
      "service_list_leads",
      "service_get_lead_bundle",
      "service_get_pipeline",
      "service_get_lead_history",
      "service_qualify_lead",
      "service_disqualify_lead",
      "service_update_lead_status",
      "service_get_transition_cap",
      "service_get_loss_reasons",
      "service_list_events",
      "service_sync_customer_accounts",
      "service_list_lists",
      "service_get_list_items",
      "service_create_list",
      "service_add_to_list",
      "service_remove_from_list",
      "service_list_notes",
      "service_add_note",
      "service_list_saved_searches",
      "service_run_saved_search",
      "service_save_search",
      "service_delete_saved_search",
      "service_get_price_sheet",
      "service_get_credit_balance",
      "service_get_account",
      "service_get_allowance",
      "service_get_coverage",
      "service_request_support",
      "service_request_coverage",
      "service_list_requests"
    ])
  })

  it("is the operations that are tools", () => {
    const offered = operations.filter(({ tool }) => tool).map(({ name }) => name as string)
    assert.deepStrictEqual(published.map(({ name }) => name), offered)
  })

  it("keeps to the catalogue's order", () => {
    const order = operations.map(({ name }) => name as string)
    const places = published.map(({ name }) => order.indexOf(name))
    assert.deepStrictEqual(places, places.toSorted((a, b) => a - b))
  })

  it("costs at most 8,000 tokens, and a tool at most 700", () => {
    for (const tool of published) assert.isAtMost(encode(JSON.stringify(tool)).length, 700, tool.name)
    // As an answer, with what the newest protocol says beside the tools.
    const answer = { tools: published, ttlMs: 300_000, cacheScope: "private", resultType: "complete" }
    assert.isAtMost(encode(JSON.stringify(answer)).length, 8000)
  })

  it("tells no bound that nobody comes near", () => {
    for (const { inputSchema, name } of published) {
      for (const [key, value] of keywords(inputSchema)) {
        if (key === "maximum") assert.isBelow(Number(value), 1_000_000, name)
      }
    }
  })

  it("tells a model to count first and to ask for few rows and columns", () => {
    for (const text of [instructions, named("service_search_properties").description]) {
      for (const word of ["count_only", "limit", "fields"]) assert.include(text, word)
    }
    assert.include(
      JSON.stringify(named("service_search_properties").inputSchema.properties["fields"]),
      "assetSubcategory"
    )
  })

  it("shows an example that each tool takes", () => {
    for (const { exampleFor, operation } of Tools.tools) {
      const taken = decoder<unknown, unknown>(operation.input)(exampleFor({}))
      assert.deepStrictEqual(Result.isFailure(taken) ? taken.failure.issues : [], [], operation.name)
    }
  })

  it("shows no example that could spend something without a ceiling", () => {
    for (const { exampleFor, operation } of Tools.tools) {
      assert.strictEqual(exampleFor({})["maxCredits"], operation.effect === "spend" ? 0 : undefined, operation.name)
    }
  })

  it("takes maxCredits wherever it may spend", () => {
    for (const { operation, published: { inputSchema, name } } of Tools.tools) {
      const takes = Object.keys(inputSchema["properties"] ?? {}).includes("maxCredits")
      assert.strictEqual(takes, operation.effect === "spend", name)
    }
  })

  it("comes with instructions of at most 900 characters that begin with where to start", () => {
    assert.isAtMost(instructions.length, 900)
    assert.include(instructions.slice(0, 200), "Start with service_describe_workspace")
  })
})

describe.each(published)("$name", (tool) => {
  it("has a name, a title and a description of bounded length", () => {
    assert.match(tool.name, /^service_[a-z_]{1,56}$/)
    assert.isAbove(tool.title.length, 0)
    assert.isAtMost(tool.description.length, 240)
  })

  it("takes one flat object without unknown keys, composition at the root or remote references", () => {
    const { inputSchema } = tool
    assert.strictEqual(inputSchema.type, "object")
    assert.strictEqual(inputSchema.additionalProperties, false)
    for (const keyword of ["oneOf", "anyOf", "allOf", "not"]) assert.notProperty(inputSchema, keyword)
    for (const [key, value] of keywords(inputSchema)) if (key === "$ref") assert.match(String(value), /^#/)
  })

  it("has a title and all four hints, and publishes no output schema", () => {
    assert.sameMembers(Object.keys(tool.annotations), [
      "title",
      "readOnlyHint",
      "destructiveHint",
      "idempotentHint",
      "openWorldHint"
    ])
    assert.isFalse(tool.annotations.openWorldHint)
    assert.notProperty(tool, "outputSchema")
  })
})

describe("hints", () => {
  it("mark a tool that spends so that clients ask, and say that a repeated unlock is free", () => {
    for (const name of ["service_reveal_property", "service_reveal_contact"]) {
      const { annotations, description, inputSchema } = named(name)
      assert.deepInclude(annotations, { readOnlyHint: false, destructiveHint: true, idempotentHint: true })
      assert.match(description, /^Costs \d+ credits/)
      assert.property(inputSchema.properties, "maxCredits")
    }
  })

  it("say that a bundle is metered on every call", () => {
    assert.deepInclude(named("service_get_lead_bundle").annotations, { readOnlyHint: false, idempotentHint: false })
  })

  it("mark reads as read-only, also those that draw a daily limit", () => {
    for (const name of ["service_search_properties", "service_get_property", "service_get_account"]) {
      assert.deepInclude(named(name).annotations, { readOnlyHint: true, destructiveHint: false })
    }
  })

  it("stand beside the words of each tool that may draw the daily reveals", () => {
    const drawing = ["get_property", "get_contact", "get_research_status", "find_email", "draft_email"]
    assert.sameMembers(
      published.flatMap(({ description, name }) => description.includes("draw the daily contact-reveal") ? [name] : []),
      drawing.map((name) => `service_${name}`)
    )
    assert.isTrue(named("service_get_research_status").annotations.readOnlyHint)
  })
})

const namesIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** The fields that the specification fixes, of those that may be null: properties and their rows, people, firms, events, bundles, limits. */
const fixed = namesIn(`
  address city state zip county lat lon owner commonName assetCategory assetSubcategory buildingSqft lotSqft numFloors
  totalUnits yearBuilt effectiveYearBuilt propertyValue summary apn accountNumber clusterId clusterSize isClusterPrimary
  ownerName ownerNameRaw ownerName2 ownerMailingAddress line1 rawAddress addressSource landUseCode landUseDescription zoning
  footprintArea footprintAreaSource buildingFootprintSqft roofAreaSqft landscapableSqft totalParval parcelValueType
  lastSaleDate lastSalePrice lastEnrichedAt researchedAt sourceUpdatedAt recordOwner heatingType coolingType
  primaryConstructionType exteriorWallMaterial foundationType roofCover roofShape qualityGrade hasPool hasSprinklers
  yearBuiltDetail effectiveYearBuiltDetail numFloorsDetail heatingTypeDetail coolingTypeDetail primaryConstructionTypeDetail
  exteriorWallMaterialDetail foundationTypeDetail roofCoverDetail roofShapeDetail qualityGradeDetail hasPoolDetail
  hasSprinklersDetail oldest newest primaryBuildingBasis max areaWeightedMean primaryBuilding areaShare
  primaryOrganizationId managementOrganizationId beneficialOwner beneficialOwnerType managementCompany aiRationale
  contactsSummary revealSource category fullName title employerName employer_domain organization_id location email phone
  role emailValidationStatus phoneLabel phoneExtension linkedinUrl lastVerifiedAt employer note role_type employer_name
  employer_organization_id domain linkedin twitter facebook crunchbase event_id value owner_type date price document_type
  before after effective_date property_id subject_type subject_id withdraws_event_id skip_reason fanned_out_at
  partial_reason common_name asset_category asset_subcategory building_sqft lot_sqft num_floors total_units year_built
  effective_year_built roof_area_sqft landscapable_sqft footprint_area footprint_area_source record_owner beneficial_owner
  beneficial_owner_type management_company ai_rationale assessed_value last_sale_date linkedin_url website_url first_name
  last_name service_organization_id phone_label contacts_summary status deal_value qualified_at qualified_by
  status_changed_at loss_reason_code loss_reason_note disqualified_reason customer_account_status owner_name description
  due_at assignee_name completed_at records_allowance initial_load expires_at price_per_record_usd ceiling_records name
  last_refresh next_cursor next_offset
`)

/** The answers in which the specification fixes more than where a page goes on: of the others it names the fields at most. */
const specified = namesIn(`
  service_search_properties service_run_saved_search service_get_property service_find_contacts service_browse_contacts
  service_get_contact service_get_contact_relationships service_browse_organizations service_get_organization
  service_get_organization_properties service_get_changes service_reveal_contact service_get_lead_bundle service_list_events
  service_get_allowance
`)

/**
 * What decisions, sections 14 and 21, say of other answers. And an address that is withheld is null beside its flag,
 * as is the end of a run, which programs wait for.
 */
const ofTools: Readonly<Record<string, ReadonlyArray<string>>> = {
  service_get_research_status: ["finished_at", "email"],
  service_list_research_runs: ["finished_at"],
  service_find_email: ["email"],
  service_deep_research_contact: ["finished_at"],
  service_draft_email: ["email"],
  service_qualify_lead: ["event_id"],
  service_get_pipeline: ["address", "deal_value"],
  service_get_account: ["monthly_grant"],
  service_get_coverage: ["name", "last_refresh"]
}

/** The names of what may be null in what the schema describes. */
const nullable = (schema: Schema.Top): ReadonlySet<string> => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const found = new Set<string>()
  const walk = (node: unknown, name: string): void => {
    if (Array.isArray(node)) { for (const each of node) walk(each, name) }
    if (!Predicate.isReadonlyObject(node)) return
    const { $ref, anyOf, items, properties, type } = node
    if (type === "null" || Array.isArray(type) && type.includes("null")) found.add(name)
    if (typeof $ref === "string") walk(definitions[$ref.split("/").at(-1) ?? ""], name)
    walk(anyOf, name)
    walk(items, name)
    if (Predicate.isReadonlyObject(properties)) {
      for (const [key, inner] of Object.entries(properties)) walk(inner, key)
    }
  }
  walk(root, "")
  return found
}

describe.each(Tools.tools.map((tool: Tools.Tool) => ({ tool, name: tool.published.name })))(
  "$name",
  ({ name, tool }) => {
    const { operation, own, show } = tool

    it("has null only for what the specification fixes", () => {
      const kept = [...nullable(operation.output)].filter((field) => !own.has(field))
      const known = specified.has(name) ? fixed : new Set(["next_cursor", "next_offset", ...ofTools[name] ?? []])
      assert.deepStrictEqual(kept.filter((field) => !known.has(field)), [])
    })

    it("leaves out what else there is none of, and nothing that there is", () => {
      assert.deepStrictEqual([...own].filter((field) => !nullable(operation.output).has(field)), [])
      const rows = [...own].flatMap((field) => [{ [field]: null, kept: null }, { [field]: "there" }])
      const given = { ...Object.fromEntries([...own].map((field) => [field, null])), others: { rows } }
      const shown = [...own].flatMap((field) => [{ kept: null }, { [field]: "there" }])
      if (own.size > 0) assert.deepInclude(show(given), { others: { rows: shown } })
      for (const field of own) assert.notProperty(show(given), field)
    })
  }
)

describe("filters of a search", () => {
  it("are published as an open object that names every key", () => {
    const filters = named("service_search_properties").inputSchema.properties["filters"]
    assert.notProperty(filters, "properties")
    for (
      const word of ["countyFips", "near", "minX", "YearBuilt", "BuildingSqft", "pipelineStatus", "includeUnknown"]
    ) {
      assert.include(String(filters?.["description"]), word)
    }
  })
})

describe("a tool that needs a person", () => {
  it("is published as one that writes", () => {
    const operation = make("service_made_up", {
      title: "Made up",
      description: "Made up.",
      input: Schema.Struct({ id: Schema.String }),
      output: Schema.Struct({}),
      refusals: [],
      access: { scope: "mcp", plan: "enterprise", person: "required" },
      effect: "write"
    })
    const tool = Tools.make(operation)
    assert.deepInclude(tool.published.annotations, { readOnlyHint: false, destructiveHint: false })
  })
})
