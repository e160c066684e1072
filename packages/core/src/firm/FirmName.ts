/**
 * The name of an owner or firm, as it is compared: its words in their full form, its legal form, and what kind of owner bears
 * it. County records, registers and people write one name in many ways (`AUSTIN CITY OF`, `The City of Austin`).
 */

/** What kind of owner bears a name. Whoever is not clearly one of the first two may be a private person. */
export type OwnerKind = "public" | "company" | "unknown"

/** A name in the form in which it is compared. */
export interface FirmName {
  /** In upper case, abbreviations written out, without articles, joining words and the legal form. */
  readonly words: ReadonlyArray<string>
  /** Such as `LLC`; null: none is told. */
  readonly form: string | null
  readonly kind: OwnerKind
  /** The state that a register adds to tell namesakes apart, as in `FIRST BANCORP /PR/`. */
  readonly mark: string | null
}

/** What records abbreviate, and in full. */
const abbreviations: ReadonlyMap<string, string> = new Map(Object.entries({
  "1ST": "FIRST",
  "2ND": "SECOND",
  "3RD": "THIRD",
  ACQ: "ACQUISITION",
  ADMIN: "ADMINISTRATION",
  APTS: "APARTMENTS",
  ASSN: "ASSOCIATION",
  ASSOC: "ASSOCIATES",
  ASSOCIATE: "ASSOCIATES",
  ASSOCS: "ASSOCIATES",
  AUTH: "AUTHORITY",
  AVE: "AVENUE",
  BD: "BOARD",
  BK: "BANK",
  BLDG: "BUILDING",
  BLVD: "BOULEVARD",
  BROS: "BROTHERS",
  BWAY: "BROADWAY",
  CENTRE: "CENTER",
  CMNTY: "COMMUNITY",
  CNTY: "COUNTY",
  COMM: "COMMISSION",
  CONDO: "CONDOMINIUM",
  CTR: "CENTER",
  DEPT: "DEPARTMENT",
  DEV: "DEVELOPMENT",
  DEVEL: "DEVELOPMENT",
  DIST: "DISTRICT",
  EDUC: "EDUCATION",
  ENTER: "ENTERPRISES",
  FDN: "FOUNDATION",
  FED: "FEDERAL",
  FNDN: "FOUNDATION",
  GOVT: "GOVERNMENT",
  GRP: "GROUP",
  HLDGS: "HOLDINGS",
  HOLDING: "HOLDINGS",
  HOSP: "HOSPITAL",
  HSG: "HOUSING",
  INDS: "INDUSTRIES",
  INS: "INSURANCE",
  INTL: "INTERNATIONAL",
  INV: "INVESTMENT",
  INVS: "INVESTMENTS",
  INVT: "INVESTMENT",
  INVTS: "INVESTMENTS",
  MFG: "MANUFACTURING",
  MGMT: "MANAGEMENT",
  MGT: "MANAGEMENT",
  MT: "MOUNT",
  MUN: "MUNICIPAL",
  NATL: "NATIONAL",
  NY: "NEW YORK",
  NYC: "NEW YORK CITY",
  NYS: "NEW YORK STATE",
  PROP: "PROPERTIES",
  PROPERTY: "PROPERTIES",
  PROPS: "PROPERTIES",
  PRTNRS: "PARTNERS",
  PTNRS: "PARTNERS",
  PTNRSHP: "PARTNERSHIP",
  PTRS: "PARTNERS",
  RD: "ROAD",
  RLTY: "REALTY",
  SAINT: "ST",
  SCH: "SCHOOL",
  SERVICE: "SERVICES",
  SQ: "SQUARE",
  STREET: "ST",
  SVC: "SERVICES",
  SVCS: "SERVICES",
  TRANSP: "TRANSPORTATION",
  TWP: "TOWNSHIP",
  UNIV: "UNIVERSITY",
  US: "UNITED STATES",
  USA: "UNITED STATES"
}))

/** Legal forms by their spellings. */
const forms: ReadonlyMap<string, string> = new Map([
  ...["LLC", "LC"].map((word) => [word, "LLC"] as const),
  ...["INC", "INCORPORATED", "INCORP", "INCORPERATED"].map((word) => [word, "INC"] as const),
  ...["CORP", "CORPORATION", "CORPORATON"].map((word) => [word, "CORP"] as const),
  ...["CO", "COMPANY", "COMPANIES"].map((word) => [word, "CO"] as const),
  ...["LTD", "LIMITED"].map((word) => [word, "LTD"] as const),
  ...["LP", "LLP", "LLLP", "GP", "PLC", "PLLC", "PC", "NA", "SA", "AG", "NV"].map((word) => [word, word] as const)
])

const phrases: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:LIMITED|LTD) (?:LIABILITY|LIAB) (?:COMPANY|CO|CORP)\b/g, "LLC"],
  [/\b(?:LIMITED|LTD) PARTNERSHIP\b/g, "LP"],
  [/\bNATIONAL ASSOCIATION$/g, "NA"],
  [/\bET ?(?:ALS?|UX|VIR)\b/g, " "],
  [/\bCO OP\b/g, "COOPERATIVE"],
  // Of a share, not of whom it is of.
  [/\bCLASS [A-C]$/g, " "],
  [/\bUNITED STATES(?: OF)? (?:AMER(?:I|IC|ICA)?|GOVERNMENT)\b/g, "UNITED STATES"],
  [/\bSTATE OF NEW YORK\b/g, "NEW YORK STATE"]
]

/** Articles and joining words, which records leave out at will. */
const joining: ReadonlySet<string> = new Set(["THE", "OF", "AND", "FOR", "IN", "AT"])

const publicNames: ReadonlyArray<RegExp> = [
  /\b(?:CITY|COUNTY|TOWN|TOWNSHIP|VILLAGE|BOROUGH|STATE|PARISH|COMMONWEALTH) OF\b/,
  /\b(?:CITY|COUNTY|STATE) OF$/,
  /\b(?:DEPARTMENT|BUREAU|BOARD OF EDUCATION|ADMINISTRATION)\b/,
  /\b(?:AUTHORITY|COMMISSION|AGENCY|UNIVERSITY|MUNICIPAL|POSTAL|GOVERNMENT)\b/,
  /\b(?:SCHOOL|HOSPITAL|WATER|PARK|FIRE|TRANSIT|COLLEGE|UTILITY) DISTRICT\b/,
  /\b(?:INDEPENDENT SCHOOL|PUBLIC SCHOOLS?|PUBLIC LIBRARY|POLICE|SANITATION|PARKS AND RECREATION)\b/,
  /\bUNITED STATES\b|\bNEW YORK (?:CITY|STATE)\b|\bHOUSING PRESERVATION\b/
]

/** Words that no person's name has, and companies' names do. */
const companyWords: ReadonlySet<string> = new Set(
  `ACQUISITION APARTMENTS ASSOCIATES ASSOCIATION BANCORP BANK BANKSHARES BROTHERS CAPITAL CENTER CHURCH COMMUNITIES CONDOMINIUM
  CONGREGATION COOPERATIVE DEVELOPERS DEVELOPMENT ENTERPRISES EQUITIES FOUNDATION FUND GROUP HOLDINGS HOSPITAL HOTEL HOTELS HOUSING
  INDUSTRIES INSURANCE INTERNATIONAL INVESTMENT INVESTMENTS INVESTORS MANAGEMENT MINISTRIES MUSEUM NATIONAL OWNER OWNERS PARTNERS
  PARTNERSHIP PROPERTIES REALTY REIT RESIDENTIAL RESTAURANTS SCHOOL SERVICES SOCIETY STORAGE STORES SYNAGOGUE TENANTS UNION VENTURES`
    .split(/\s+/)
)

/** What tells of a person's own trust or estate, or of a person with a function, whatever else the name says. */
const personal = /\b(?:TRUSTEES?|LIVING|REVOCABLE|IRREVOCABLE|ESTATE OF|FAMILY TR(?:UST)?|TTEE|JR|SR|HEIRS|DECEASED)\b/

/** The person or company behind whom the owner gets mail is not the owner. */
const withoutCareOf = (text: string): string => text.replace(/(?:\bC\s?\/\s?O\b|\bATTN\b|%).*$/, "")

const plain = (name: string): string =>
  withoutCareOf(name.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase())
    .replace(/['’`]/g, "")
    .replace(/\b(?:[A-Z]\.){2,}[A-Z]?\b/g, (letters) => letters.replaceAll(".", ""))
    .replaceAll("&", " AND ")
    .replace(/[^A-Z0-9]+/g, " ")
    // Letters that stand alone one after the other are one word: `L L C`.
    .replace(/\b[A-Z](?: [A-Z]\b)+/g, (letters) => letters.replaceAll(" ", ""))
    .trim()

/** Of a name whose blanks are single: many in a row would be tried one by one, from each of them on. */
const registered = / ?\/ ?([A-Z]{2,3}) ?\/?$/i

const states: ReadonlySet<string> = new Set(
  `AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX
  UT VT VA WA WV WI WY PR`.split(/\s+/)
)

const written = (text: string): string =>
  phrases.reduce(
    (all, [phrase, form]) => all.replace(phrase, form),
    text.split(" ").map((word) => abbreviations.get(word) ?? word).join(" ")
  )

/** The words without the legal form at their end, of which `CO` counts least: `REALTY CO LLC` is an LLC. */
const apart = (
  words: ReadonlyArray<string>
): { readonly words: ReadonlyArray<string>; readonly form: string | null } => {
  let end = words.length
  let form: string | null = null
  while (end > 1) {
    const found = forms.get(words[end - 1] ?? "")
    if (found === undefined) break
    if (form === null || form === "CO") form = found
    end--
  }
  return { words: words.slice(0, end), form }
}

const kindOf = (text: string, words: ReadonlyArray<string>, form: string | null): OwnerKind => {
  if (personal.test(text)) return "unknown"
  if (form !== null) return "company"
  if (publicNames.some((pattern) => pattern.test(text))) return "public"
  if (/\bTRUST\b/.test(text)) {
    return /\b(?:REALTY|REIT|INVESTMENT|PROPERTIES|BANK|NATIONAL|STORAGE|RESIDENTIAL|HEALTHCARE)\b/.test(text)
      ? "company"
      : "unknown"
  }
  return words.some((word) => companyWords.has(word)) ? "company" : "unknown"
}

/** The name in the form in which it is compared; null: nothing in it can be. */
export const parse = (given: string): FirmName | null => {
  const name = given.trim().replaceAll(/\s+/g, " ")
  const mark = registered.exec(name)
  const text = written(plain(mark === null ? name : name.slice(0, mark.index)))
  const all = text.split(" ").filter((word) => word !== "" && !joining.has(word))
  if (all.length === 0) return null
  const { form, words } = apart(all)
  const state = mark?.[1]?.toUpperCase() ?? ""
  return { words, form, kind: kindOf(text, words, form), mark: states.has(state) ? state : null }
}

/** Words that tell nobody apart: what owners do, and what offices there are in every county. */
const common: ReadonlySet<string> = new Set([
  ...companyWords,
  ...`ADMINISTRATION AGENCY AUTHORITY BOARD BUILDING BUREAU CITY COLLEGE COMMERCIAL COMMISSION COUNTY COURT DEPARTMENT DISTRICT EDUCATION
  FEDERAL FINANCE FIRE FIRST GENERAL GOVERNMENT HALL HEALTH HOUSE INDEPENDENT LAND LIBRARY LIFE MAIN MUNICIPAL OFFICE PARK PARKS
  AMERICAN CITIZENS COMMUNITY FARMERS FIDELITY FINANCIAL GLOBAL HOME MERCHANTS PEOPLES SAVINGS SECURITY UNIVERSAL
  PLAZA POLICE PRESERVATION PUBLIC REAL RECREATION SANITATION SCHOOLS SECOND SMALL BUSINESS SQUARE ST STATE THIRD TOWER TOWN TOWNSHIP TRANSIT
  TRANSPORTATION TRUST UNITED UNIVERSITY UTILITY VILLAGE WATER WORKS AVENUE BOULEVARD BROADWAY ROAD ESTATE`.split(/\s+/)
])

/** Words by which one is told from others of the kind. */
export const distinctive = ({ words }: FirmName): ReadonlyArray<string> =>
  words.filter((word) => word.length > 2 && !common.has(word) && !/^\d/.test(word))

/** Two names with the same key are one name, in whatever order they were written. */
export const keyOf = ({ form, mark, words }: FirmName): string =>
  [...words.toSorted(), ...form === null ? [] : [form], ...mark === null ? [] : [`/${mark}`]].join(" ")

/** Of longer names, so many words are left out one by one. */
const mostLeftOut = 6

/**
 * By one of these a name is found again when it is written in another way: whole, by its beginning, without one of its words, and
 * by either end of its most telling word.
 */
export const blocksOf = (name: FirmName): ReadonlyArray<string> => {
  const telling = new Set(distinctive(name))
  const [first] = [...telling].toSorted((left, right) => right.length - left.length || (left < right ? -1 : 1))
  const sorted = name.words.toSorted()
  const without = (at: number) => sorted.filter((_, index) => index !== at)
  const others = first === undefined ? "" : without(sorted.indexOf(first)).join(" ")
  return [
    ...new Set([
      `words ${sorted.join(" ")}`,
      `start ${name.words.join("").slice(0, 12)}`,
      ...sorted.slice(0, mostLeftOut).flatMap((_, at) => {
        const rest = without(at)
        return rest.some((word) => telling.has(word)) ? [`words ${rest.join(" ")}`] : []
      }),
      ...first === undefined ? [] : [`head ${first.slice(0, 4)} ${others}`, `tail ${first.slice(-4)} ${others}`]
    ])
  ]
}

/** The federal government, which owns in every county under one name. */
export const isFederal = ({ words }: FirmName): boolean => words.join(" ") === "UNITED STATES"

/**
 * Whether an owner of that name may become a firm by itself: it says what it is, and it says who it is. A person's name, and
 * an office that every county has, may not.
 */
export const isFounding = (name: FirmName): boolean => {
  if (name.kind === "unknown") return false
  if (name.kind === "public") return distinctive(name).length > 0 || isFederal(name)
  return name.form !== null && name.words.join("").length > 2
}
