/**
 * The records of the demonstration: three counties that do not exist, with properties, their owners and managers, the
 * people there, and research. All of it is made up and says so: names of firms and places end in "(demo)", streets have
 * names that no street has, surnames are invented, mail goes to `.example`, telephone numbers are of the range 555-01xx,
 * which is kept for fiction, ZIP codes and county codes are unassigned.
 *
 * Drawn from one seed: every installation has the same records, and, since ids are made from keys, the same ids. Rows
 * have the form of import rows (operator.md).
 */
import { type Draw, fromSeed } from "./Draw.ts"

type Choices<A> = readonly [A, ...ReadonlyArray<A>]

interface County {
  readonly fips: string
  readonly name: string
  readonly properties: number
  readonly lat: number
  readonly lon: number
  readonly cities: Choices<readonly [name: string, zip: string]>
}

export interface DemoRecords {
  readonly properties: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly firms: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly contacts: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly research: ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Keys of researched properties with people, in the county that is seen and not licensed. */
  readonly toUnlock: ReadonlyArray<string>
  /** Keys of researched properties in the licensed county, for what the made-up team does. */
  readonly toWorkOn: ReadonlyArray<string>
}

const state = "WA"

/** Licensed and seen. */
export const licensed: County = {
  fips: "53901",
  name: "Larkmoor (demo)",
  properties: 900,
  lat: 47.02,
  lon: -119.62,
  cities: [["Larkmoor City (demo)", "00011"], ["Upper Quill (demo)", "00012"], ["Fennimore (demo)", "00013"]]
}

/** Seen, not licensed. */
export const visible: County = {
  fips: "53903",
  name: "Quillgate (demo)",
  properties: 800,
  lat: 46.94,
  lon: -119.18,
  cities: [["Quillgate (demo)", "00021"], ["Port Nonesuch (demo)", "00022"]]
}

/** Neither. */
export const outside: County = {
  fips: "53905",
  name: "Thornwick (demo)",
  properties: 300,
  lat: 47.41,
  lon: -119.35,
  cities: [["Thornwick (demo)", "00031"]]
}

const counties = [licensed, visible, outside]

const streets: Choices<string> = [
  "Nonesuch Avenue",
  "Imaginary Way",
  "Placeholder Street",
  "Fictional Road",
  "Madeup Boulevard",
  "Specimen Lane",
  "Pretend Parkway",
  "Unreal Terrace",
  "Hypothetical Drive",
  "Notional Square"
]

const firstWords: Choices<string> = [
  "Copper",
  "Silver",
  "Amber",
  "Cobalt",
  "Ivory",
  "Crimson",
  "Juniper",
  "Basalt",
  "Granite",
  "Willow",
  "Saffron",
  "Slate",
  "Marble",
  "Cedar",
  "Indigo",
  "Hazel"
]
const secondWords: Choices<string> = [
  "Heron",
  "Otter",
  "Lantern",
  "Anchor",
  "Compass",
  "Falcon",
  "Harbor",
  "Meadow",
  "Orchard",
  "Beacon",
  "Quarry",
  "Summit",
  "Badger",
  "Kestrel",
  "Prairie",
  "Bridge",
  "Gable",
  "Thicket",
  "Ferry",
  "Turret",
  "Juncture",
  "Mill"
]

const givenNames: Choices<string> = [
  "Ada",
  "Bruno",
  "Carla",
  "Dmitri",
  "Elena",
  "Farid",
  "Greta",
  "Hiro",
  "Ines",
  "Jonas",
  "Keiko",
  "Lars",
  "Mina",
  "Nuri",
  "Olga",
  "Pavel",
  "Quinn",
  "Rosa",
  "Stefan",
  "Talia",
  "Umar",
  "Vera",
  "Wanda",
  "Yusuf",
  "Zora"
]
const surnames: Choices<string> = [
  "Sampleton",
  "Mockford",
  "Placeholm",
  "Testerby",
  "Demowick",
  "Fauxworth",
  "Ficton",
  "Nonesby",
  "Exemplar",
  "Dummore",
  "Pretendley",
  "Unrealston",
  "Hypothorpe",
  "Standinham",
  "Proxwell",
  "Imitagne"
]

const categories: Choices<readonly [category: string, subcategories: Choices<string | null>]> = [
  ["Office", ["High Rise", "Mid Rise", "Medical Office", "Flex"]],
  ["Office", ["Mid Rise", "Flex", null]],
  ["Industrial", ["Warehouse", "Distribution", "Manufacturing", "Cold Storage"]],
  ["Industrial", ["Warehouse", null]],
  ["Retail", ["Strip Center", "Big Box", "Restaurant", "Gas Station"]],
  ["Retail", ["Strip Center", "Mall", null]],
  ["Multifamily", ["Garden", "High Rise", "Student", "Senior"]],
  ["Multifamily", ["Garden", null]],
  ["Hospitality", ["Hotel", "Motel", "Resort"]],
  ["Healthcare", [null]],
  ["Self Storage", [null]],
  ["Mixed Use", [null]],
  ["Education", [null]],
  ["Religious", [null]],
  ["Land", [null]]
]

interface Firm {
  readonly key: string
  readonly name: string
  readonly domain: string
  readonly phone: string
  readonly manages: boolean
  readonly properties: Array<string>
}

const ownerCount = 320
const managerCount = 24

const phone = (draw: Draw): string =>
  `${draw.oneOf(["509", "360", "253", "425", "206"])}-555-01${String(draw.whole(0, 99)).padStart(2, "0")}`

const makeFirms = (draw: Draw): ReadonlyArray<Firm> =>
  Array.from({ length: ownerCount + managerCount }, (_, index) => {
    const manages = index >= ownerCount
    // Every pair of words once, so that no two firms have one name.
    const words = [firstWords[index % firstWords.length], secondWords[Math.floor(index / firstWords.length)]]
    const kind = manages
      ? "Property Management"
      : draw.oneOf(["Holdings LLC", "Partners LP", "Realty Trust", "Investments Inc", "Family LP"])
    return {
      key: `demo-firm-${String(index + 1).padStart(3, "0")}`,
      name: `${words.join(" ")} ${kind} (demo)`,
      domain: `${words.join("-").toLowerCase()}.example`,
      phone: phone(draw),
      manages,
      properties: []
    }
  })

const round = (value: number, to: number): number => Math.round(value / to) * to

const building = (draw: Draw, index: number, sqft: number, yearBuilt: number) => ({
  sqft,
  isPrimary: index === 0,
  yearBuilt,
  ...draw.happens(0.4) ? { effectiveYearBuilt: Math.min(2024, yearBuilt + draw.whole(5, 30)) } : {},
  numFloors: sqft > 120_000 ? draw.whole(4, 24) : draw.whole(1, 4),
  heatingType: draw.oneOf(["Forced Air", "Heat Pump", "Hot Water", "Package Unit"]),
  coolingType: draw.oneOf(["Central", "Package Unit", "None"]),
  primaryConstructionType: draw.oneOf(["Masonry", "Steel Frame", "Reinforced Concrete", "Wood Frame"]),
  exteriorWallMaterial: draw.oneOf(["Brick", "Concrete Block", "Metal", "Glass", "Stucco"]),
  foundationType: draw.oneOf(["Slab", "Basement", "Pier"]),
  roofCover: draw.oneOf(["Built-up", "Membrane", "Metal", "Shingle"]),
  roofShape: draw.oneOf(["Flat", "Gable", "Hip"]),
  qualityGrade: draw.oneOf(["A", "B+", "B", "C"]),
  hasPool: draw.happens(0.08),
  hasSprinklers: draw.happens(0.6)
})

const makeProperty = (draw: Draw, county: County, number: number, owner: Firm) => {
  const key = `${county.fips}-DEMO${String(number).padStart(5, "0")}`
  const [city, zip] = draw.oneOf(county.cities)
  const [assetCategory, subcategories] = draw.oneOf(categories)
  const isLand = assetCategory === "Land"
  const lotSqft = round(4000 + 400_000 * draw.part() ** 3, 10)
  const buildingSqft = isLand ? 0 : round(1500 + 320_000 * draw.part() ** 4, 10)
  const yearBuilt = draw.whole(1905, 2023)
  const value = round(200_000 + lotSqft * 4 + buildingSqft * draw.whole(60, 420), 1000)
  const street = draw.oneOf(streets)
  const address = `${draw.whole(1, 999) * 2} ${street}`
  const parts = draw.oneOf([[1], [1], [1], [0.7, 0.3], [0.5, 0.3, 0.2]])
  const buildings = parts.map((part, index) =>
    building(draw, index, round(buildingSqft * part, 10), Math.min(2023, yearBuilt + index * 3))
  )
  const soldYears = draw.whole(2004, 2025)
  return {
    key,
    row: {
      key,
      address,
      rawAddress: address.toUpperCase(),
      city,
      state,
      zip,
      county: county.name,
      countyFips: county.fips,
      lat: Number((county.lat + (draw.part() - 0.5) * 0.16).toFixed(6)),
      lon: Number((county.lon + (draw.part() - 0.5) * 0.2).toFixed(6)),
      apn: `DEMO-${String(number).padStart(5, "0")}`,
      parcelNumbers: [`DEMO-${String(number).padStart(5, "0")}`],
      lotSqft,
      assetCategory,
      assetSubcategory: draw.oneOf(subcategories),
      recordOwner: owner.name,
      ownerName: owner.name.toUpperCase(),
      ownerMailingAddress: { line1: `${draw.whole(1, 99)} ${draw.oneOf(streets)}`, city, state, zip },
      totalParval: value,
      parcelValueType: "assessed",
      landUseDescription: `${assetCategory} (demo)`,
      zoning: draw.oneOf(["C-1", "C-2", "M-1", "MU"]),
      ...isLand ? {} : {
        buildingSqft,
        totalUnits: assetCategory === "Multifamily" ? draw.whole(6, 320) : draw.whole(1, 12),
        footprintArea: round(buildingSqft / 2, 10),
        footprintAreaSource: draw.oneOf(["measured", "assessor", "estimated"]),
        roofAreaSqft: round(buildingSqft / 1.8, 10),
        landscapableSqft: round(lotSqft / 3, 10),
        // Where the parcel's own record is all that is known.
        ...draw.happens(0.15) ? { yearBuilt, numFloors: draw.whole(1, 6) } : { buildings }
      },
      ...draw.happens(0.6)
        ? {
          lastSaleDate: `${soldYears}-${String(draw.whole(1, 12)).padStart(2, "0")}-${
            String(draw.whole(1, 28)).padStart(2, "0")
          }`,
          lastSalePrice: round(value * (0.6 + draw.part()), 1000)
        }
        : {},
      ...draw.happens(0.18)
        ? { commonName: `${draw.oneOf(firstWords)} ${draw.oneOf(["Tower", "Plaza", "Center"])} (demo)` }
        : {},
      sourceUpdatedAt: "2026-06-01T00:00:00Z"
    }
  }
}

interface Post {
  readonly title: string
  readonly roleType: string
  readonly seniority: string
}

const ownerPosts: Choices<Post> = [
  { title: "Managing Partner", roleType: "owner_principal", seniority: "partner" },
  { title: "Chief Executive Officer", roleType: "executive", seniority: "c_suite" },
  { title: "Director of Acquisitions", roleType: "acquisitions", seniority: "director" },
  { title: "Asset Manager", roleType: "asset_manager", seniority: "manager" }
]
const managerPosts: Choices<Post> = [
  { title: "Regional Property Manager", roleType: "regional_manager", seniority: "senior" },
  { title: "Property Manager", roleType: "property_manager", seniority: "manager" },
  { title: "Facilities Manager", roleType: "facilities_manager", seniority: "manager" },
  { title: "Chief Engineer", roleType: "chief_engineer", seniority: "senior" }
]

/** The people of a firm, each attached to some of its properties, the first to all of them. */
const peopleOf = (draw: Draw, firm: Firm, numbered: () => number) => {
  const posts = firm.manages ? managerPosts : ownerPosts
  const count = Math.min(firm.properties.length, firm.manages ? posts.length : draw.whole(1, 2))
  return Array.from({ length: count }, (_, index) => {
    const post = posts[index % posts.length] ?? posts[0]
    const number = numbered()
    const given = draw.oneOf(givenNames)
    const surname = draw.oneOf(surnames)
    const hasEmail = draw.happens(0.85)
    const fallback = draw.happens(0.15)
    const share = index === 0 ? 1 : 0.5
    const attached = firm.properties.filter((_, at) => at === index || draw.happens(share))
    return {
      key: `demo-contact-${String(number).padStart(4, "0")}`,
      fullName: `${given} ${surname}`,
      ...post,
      employerName: firm.name,
      employerDomain: firm.domain,
      firmKey: firm.key,
      ...hasEmail
        ? {
          email: `${given}.${surname}@${firm.domain}`.toLowerCase(),
          emailValidationStatus: draw.oneOf(["valid", "valid", "valid", "catch_all", "risky", "unvalidated"])
        }
        : {},
      ...draw.happens(0.75)
        ? {
          phone: fallback ? firm.phone : phone(draw),
          phoneLabel: fallback ? "Office" : draw.oneOf(["Mobile", "Direct", "Office"]),
          phoneFallbackFromEmployer: fallback
        }
        : {},
      ...draw.happens(0.5)
        ? { linkedinUrl: `https://linkedin.example/in/${given}-${surname}-${number}`.toLowerCase() }
        : {},
      location: `Larkmoor City (demo), ${state}`,
      source: draw.oneOf(["data_provider", "public_record", "web", "verified_employer_domain"]),
      properties: attached.map((propertyKey) => ({
        propertyKey,
        role: post.roleType,
        relationshipStatus: draw.happens(0.9) ? "current" : "unverified",
        attributionType: firm.manages ? "management_research" : "county_record"
      }))
    }
  })
}

const seed = 0x6672_6565

export const make = (): DemoRecords => {
  const draw = fromSeed(seed)
  const firms = makeFirms(draw)
  const owners = firms.filter(({ manages }) => !manages)
  const managers = firms.filter(({ manages }) => manages)
  // A few own much and most own little.
  const ownerOf = () => owners[Math.floor(draw.part() ** 2 * owners.length)]
  const properties: Array<Readonly<Record<string, unknown>>> = []
  const research: Array<Readonly<Record<string, unknown>>> = []
  const toUnlock: Array<string> = []
  const toWorkOn: Array<string> = []
  for (const county of counties) {
    for (let number = 1; number <= county.properties; number++) {
      const owner = ownerOf()
      const manager = managers[draw.whole(0, managers.length - 1)]
      if (owner === undefined || manager === undefined) continue
      const { key, row } = makeProperty(draw, county, number, owner)
      properties.push(row)
      owner.properties.push(key)
      if (draw.happens(0.12)) continue
      manager.properties.push(key)
      research.push({
        propertyKey: key,
        beneficialOwner: draw.happens(0.5)
          ? `${draw.oneOf(givenNames)} ${draw.oneOf(surnames)}`
          : owner.name.replace("(demo)", "Group (demo)"),
        beneficialOwnerType: draw.oneOf(["individual", "private_company", "family_trust", "partnership", "fund"]),
        managementCompany: manager.name,
        aiRationale: `Made up for the demonstration: filings of ${owner.name} name ${manager.name} as its manager.`,
        researchedAt: `2026-0${draw.whole(5, 8)}-${String(draw.whole(1, 28)).padStart(2, "0")}T12:00:00Z`,
        tier: draw.happens(0.1) ? "Deep" : "Standard"
      })
      if (county === visible) toUnlock.push(key)
      if (county === licensed) toWorkOn.push(key)
    }
  }
  let people = 0
  return {
    properties,
    firms: firms.map(({ domain, key, manages, name, phone, properties }) => ({
      key,
      name,
      domain,
      phone,
      websiteUrl: `https://${domain}`,
      socials: { linkedin: `https://linkedin.example/company/${domain.replace(".example", "")}` },
      properties: properties.map((propertyKey) => ({
        propertyKey,
        role: manages ? "property_manager" : "owner",
        attributionType: manages ? "management_research" : "county_record"
      }))
    })),
    contacts: firms.flatMap((firm) => peopleOf(draw, firm, () => people += 1)),
    research,
    toUnlock,
    toWorkOn
  }
}
