/** Whether an owner is a firm: by examples, and measured on labelled pairs of real names. */
import { assert, describe, it } from "@effect/vitest"
import * as FirmName from "@freehold/core/firm/FirmName"
import { match, type Party, upperThreshold } from "@freehold/core/firm/OwnerMatch"
import { agentForms, mailingForm, matchesOf } from "@freehold/core/firm/OwnerMatcher"
import { halves, labelled, type LabelledRow, measure } from "./LabelledPairs.ts"

const party = (name: string, known: Partial<Omit<Party, "name">> = {}): Party => {
  const parsed = FirmName.parse(name)
  if (parsed === null) throw new Error(`${name} is no name`)
  return { name: parsed, counties: ["53901"], mailing: [], agents: [], isCut: false, ...known }
}

const confidence = (one: string, other: string, known: Partial<Omit<Party, "name">> = {}) =>
  match(party(one, known), party(other, known))?.confidence ?? 0

const isSure = (one: string, other: string, known: Partial<Omit<Party, "name">> = {}) =>
  confidence(one, other, known) >= upperThreshold

describe("the name of an owner", () => {
  it("is the same with many blanks as with single ones", () => {
    const blanks = " ".repeat(200)
    assert.deepStrictEqual(
      FirmName.parse(`Sample Holdings LLC${blanks}/${blanks}TX${blanks}/${blanks}`),
      FirmName.parse("Sample Holdings LLC /TX/")
    )
    assert.deepStrictEqual(FirmName.parse(`A${blanks}/AB${blanks}X`), FirmName.parse("A /AB X"))
  })

  it.each([
    ["AUSTIN CITY OF", "The City of Austin"],
    ["SAMPLE HOLDINGS, L.L.C.", "Sample Holdings LLC"],
    ["SAMPLE HLDGS LLC C/O MADE UP MGMT", "Sample Holdings, LLC"],
    ["SAMPLE REALTY CO. INC. ET AL", "SAMPLE RLTY COMPANY INCORPORATED"],
    ["NONESUCH COUNTY HSG AUTH", "Nonesuch County Housing Authority"],
    ["U S POSTAL SERVICE", "U.S. Postal Services"],
    ["SAMPLE & NONESUCH, INC", "Sample and Nonesuch Inc."],
    ["SAMPLE INDS LTD LIABILITY CO", "Sample Industries, LLC"],
    ["SAMPLE INVT PTRS LTD PARTNERSHIP", "Sample Investment Partners, L.P."],
    ["1ST SAMPLE FDN INCORPERATED", "First Sample Foundation, Inc."],
    ["SAMPLE NONESUCH CO-OP CORPORATON", "Sample Nonesuch Cooperative Corp."],
    ["Sample Nonesuch (Class A)", "SAMPLE NONESUCH"]
  ])("is the same however it is written: %s, %s", (one, other) => {
    assert.isTrue(isSure(one, other), String(confidence(one, other)))
    assert.isTrue(isSure(other, one))
  })

  it.each([
    ["CITY OF AUSTIN", "CITY OF AUSTIN HOUSING AUTHORITY"],
    ["CITY OF AUSTIN", "AUSTIN COMMUNITY COLLEGE DISTRICT"],
    ["SAMPLE TOWER A LLC", "SAMPLE TOWER B LLC"],
    ["SAMPLE FUND II LP", "SAMPLE FUND III LP"],
    ["134 NONESUCH LLC", "135 NONESUCH LLC"],
    ["SAMPLE BANCORP /NC/", "SAMPLE BANCORP /PR/"],
    ["SAMPLE REALTY CORP", "SAMPLE REALTY LP"],
    ["SAMPLE REALTY INC", "SAMPLE MANAGEMENT INC"]
  ])("is another one: %s, %s", (one, other) => assert.isFalse(isSure(one, other), String(confidence(one, other))))

  it("is asked about where a letter slipped, a form is another one, or a source cut it off", () => {
    assert.isFalse(isSure("NONESUCH REALTY LLC", "NONESUHC REALTY LLC"))
    assert.isAbove(confidence("NONESUCH REALTY LLC", "NONESUHC REALTY LLC"), 0)
    assert.isAbove(confidence("NONESUCH REALTY LLC", "NONESUCH REALTY INC"), 0)
    assert.isAbove(confidence("NONESUCH DEVELOPMENT", "NONESUCH DEVELOPMENT CORPORATION OF", { isCut: true }), 0)
  })

  it("is one company's in its state, whatever the form, if a word of it is telling (all made up)", () => {
    const of = (owner: string, firm: string, counties: ReadonlyArray<string>) =>
      match(party(owner, { counties: ["53901"] }), party(firm, { counties }))?.confidence
    assert.deepStrictEqual(
      [["53901"], ["53905"], ["48901"], []].map((counties) =>
        of("NONESUCH PROPERTIES", "Nonesuch Properties, Inc.", counties)
      ),
      [0.96, 0.96, 0.9, 0.9]
    )
    assert.strictEqual(of("FIRST STREET PROPERTIES", "First Street Properties, Inc.", ["53901"]), 0.9)
    assert.strictEqual(of("NONESUCH PROPERTIES LLC", "Nonesuch Properties, Inc.", ["53901"]), 0.78)
  })

  it("is surer where bills go to one door, and less sure in another state", () => {
    const mailing = [mailingForm({ line1: "1 Nonesuch Street, Suite 400", zip: "98101-0001" }) ?? ""]
    assert.isTrue(isSure("NONESUCH REALTY LLC", "NONESUHC REALTY LLC", { mailing }))
    assert.notStrictEqual(mailing[0], mailingForm({ line1: "1 NONESUCH ST STE 500", zip: "98101" }))
    assert.strictEqual(mailing[0], mailingForm({ line1: "1 NONESUCH ST STE 400", zip: "98101" }))
    const away = match(party("CITY OF NONESUCH"), party("CITY OF NONESUCH", { counties: ["48901"] }))
    assert.isNull(away)
  })

  it("is surer where one agent is registered for both, though that alone does not tie them (all made up)", () => {
    const agents = ["MADE-UP AGENTS INC"]
    const [slipped, other] = ["NONESUCH REALTY LLC", "NONESUHC REALTY LLC"]
    assert.deepInclude(match(party(slipped, { agents }), party(other, { agents })), {
      confidence: 0.9,
      evidence: ["one_slip", "same_registered_agent", "same_county"]
    })
    assert.strictEqual(
      match(party(slipped, { agents }), party(other, { agents: ["OTHER AGENTS INC"] }))?.confidence,
      0.85
    )
    const mailing = [mailingForm({ line1: "1 Nonesuch Street", zip: "98101" }) ?? ""]
    const known = { agents, mailing }
    assert.isAbove(confidence(slipped, other, known), confidence(slipped, other, { mailing }))
    // Two companies of one agent are two companies.
    assert.strictEqual(confidence("NONESUCH REALTY LLC", "SAMPLE HARBOR LLC", { agents }), 0)
  })

  it("is asked about because of its agent as the records write it, unless that may be a private person (all made up)", () => {
    const evidence = (agent: string) =>
      matchesOf({
        ownerId: "1",
        countyFips: "53901",
        name: "NONESUCH REALTY LLC",
        mailing: [],
        agents: agentForms(["Made-Up Agents, Inc.", "Made Up Person"]),
        isCut: false,
        firms: [{ firmId: "2", name: "Nonesuhc Realty LLC", counties: ["53901"], mailing: [], agents: [agent] }]
      }).map(({ evidence, state }) => ({ evidence, state }))
    assert.deepStrictEqual(evidence("MADE UP AGENTS INC"), [{
      evidence: ["one_slip", "same_registered_agent", "same_county"],
      state: "proposed"
    }])
    assert.deepStrictEqual(evidence("MADE UP PERSON"), [{ evidence: ["one_slip", "same_county"], state: "proposed" }])
  })

  it("founds a firm where it says what and who it is, and never as a person's", () => {
    const founds = (name: string) => FirmName.isFounding(party(name).name)
    assert.deepStrictEqual(
      ["NONESUCH REALTY LLC", "CITY OF NONESUCH", "UNITED STATES OF AMERICA", "NONESUCH BANK & TRUST CO"].map(founds),
      [true, true, true, true]
    )
    assert.deepStrictEqual(
      [
        "PERSON, MADE UP",
        "MADE UP PERSON",
        "MADE UP PERSON LIVING TRUST",
        "PERSON MADE UP TRUSTEE LLC",
        "ESTATE OF MADE UP",
        "PARKS AND RECREATION",
        "POLICE DEPARTMENT"
      ].map(founds),
      [false, false, false, false, false, false, false]
    )
  })
})

describe("labelled pairs of owners", () => {
  const rows = labelled("owners.csv")
  /** `usual`: the county of those whose county is not known. */
  const judged = (usual: ReadonlyArray<string>) => (row: LabelledRow) => {
    const { firm = "", from, owner = "" } = row
    // Owners that may be persons are never matched; this source cuts names off at 21 characters.
    if (FirmName.parse(owner)?.kind === "unknown") return null
    const isCut = (name: string) => from === "pluto" && name.length >= 20
    const county = (fips = "") => fips === "" ? usual : [fips]
    return match(
      party(firm, { counties: county(row["firm_county"]), isCut: isCut(firm) }),
      party(owner, { counties: county(row["owner_county"]), isCut: isCut(owner) })
    )?.confidence ?? null
  }

  it.each(halves)("are told apart: the %s half", (half) => {
    const figures = measure(rows, half, upperThreshold, judged([]))
    assert.isAtLeast(figures.pairs, 220)
    assert.isAtLeast(figures.precision, 0.98, JSON.stringify(figures))
    assert.isAtLeast(figures.recall, 0.36, JSON.stringify(figures))
    assert.isAtLeast(figures.found, 0.8, JSON.stringify(figures))
  })

  it.each(halves)("are told apart as well when all of them are thought to be in one county: the %s half", (half) => {
    const figures = measure(rows, half, upperThreshold, judged(["53901"]))
    assert.isAtLeast(figures.precision, 0.98, JSON.stringify(figures))
    assert.isAtLeast(figures.recall, 0.7, JSON.stringify(figures))
  })
})
