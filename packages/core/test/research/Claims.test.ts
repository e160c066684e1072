/** The claim rule: whatever is proposed, what is told stands on the page, and its values within the words. All is made up. */
import { assert, describe, it } from "@effect/vitest"
import {
  type Claim,
  type DropReason,
  judge,
  mostClaims,
  mostProposals,
  type Page,
  showsContact,
  type Topic,
  withoutContact
} from "@freehold/core/research/Claims"
import { holds, spaced } from "@freehold/core/research/QuotedWords"
import * as fc from "fast-check"

const page = (text: string, more: Partial<Page> = {}): Page => ({
  address: "https://birch.example/team",
  readAt: "2026-11-22T00:00:00.000Z",
  text,
  firmId: "birch",
  domain: "birch.example",
  ...more
})

const topic: Topic = {
  kinds: ["manager", "owner", "person", "firm"],
  places: ["12 N Nonesuch Lane", "Sample Tower"],
  owners: ["SAMPLE TOWER OWNER, L.L.C."],
  person: null
}

const anna = {
  kind: "person",
  page: 1,
  quote: "Ann Quill, Property Manager, ann@birch.example, (509) 555-0100",
  name: "Ann Quill",
  title: "Property Manager",
  role: "property_manager",
  email: "ann@birch.example",
  phone: "(509) 555-0100"
}

const judged = (text: string, ...proposed: ReadonlyArray<unknown>) => judge(proposed, [page(text)], topic)

const valuesOf = (claim: Claim): ReadonlyArray<string> => {
  switch (claim.kind) {
    case "person":
      return [claim.name, claim.title, claim.email, claim.phone].flatMap((value) => value ?? [])
    case "firm":
      return [claim.phone]
    default:
      return [claim.name]
  }
}

const dropped = (text: string, ...proposed: ReadonlyArray<unknown>) => judged(text, ...proposed).dropped

describe("a person", () => {
  it("is told with the words, their page and its date", () => {
    assert.deepStrictEqual(judged(`Our people: ${anna.quote}.`, anna), {
      claims: [{
        kind: "person",
        name: "Ann Quill",
        title: "Property Manager",
        role: "property_manager",
        email: "ann@birch.example",
        phone: "(509) 555-0100",
        firmId: "birch",
        evidence: { address: "https://birch.example/team", readAt: "2026-11-22T00:00:00.000Z", quote: anna.quote }
      }],
      dropped: []
    })
  })

  it("is told whatever whitespace stands between the words, and not with another letter", () => {
    const text = anna.quote.replaceAll(" ", "\n\t\u00a0 ")
    assert.lengthOf(judged(text, anna).claims, 1)
    assert.deepStrictEqual(dropped(text.replace("Ann", "ann"), anna), ["not_on_page"])
  })

  it.each<readonly [string, object, DropReason]>([
    ["no such page", { page: 2 }, "unknown_page"],
    ["words that are not there", { quote: anna.quote.replace("Ann", "Jan"), name: "Jan Quill" }, "not_on_page"],
    ["another name", { name: "Ann Quil" }, "not_quoted"],
    ["another title", { title: "Chief Engineer" }, "not_quoted"],
    ["another address", { email: "quill@birch.example" }, "not_quoted"],
    ["a part of the address", { email: "nn@birch.example" }, "not_quoted"],
    ["a part of the number", { phone: "555-0100" }, "unfit_value"],
    ["a name of a company", { name: "Property Manager", title: "Ann Quill" }, "unfit_value"],
    ["no role of the list", { role: "friend" }, "malformed"],
    ["a role that says nothing", { role: "other" }, "unfit_value"],
    ["too few words", { quote: "Ann Quill" }, "malformed"],
    ["a field of another kind", { quote: 7 }, "malformed"]
  ])("is dropped: %s", (_, change, reason) => {
    assert.deepStrictEqual(dropped(anna.quote, { ...anna, ...change }), [reason])
  })

  it("is dropped with an address of somebody else's domain, or one that many share", () => {
    for (
      const email of [
        "ann@mail.example",
        "ann@notbirch.example",
        "ann@birch.example.evil.example",
        "info@birch.example"
      ]
    ) {
      const quote = anna.quote.replace("ann@birch.example", email)
      assert.deepStrictEqual(dropped(quote, { ...anna, quote, email }), ["unfit_value"], email)
    }
  })

  it("is dropped when the quote does not say whose an address is", () => {
    const quote = "Ann Quill, Property Manager, and Bo Quill: ann@birch.example, bo@birch.example"
    assert.deepStrictEqual(dropped(quote, { ...anna, quote, phone: null }), ["ambiguous"])
  })

  it("is dropped when the quote has two numbers, and not with a postal code beside one", () => {
    const numbered = (numbers: string) => {
      const quote = `Ann Quill, Property Manager, ${numbers}`
      return dropped(quote, { ...anna, quote, email: null, phone: null })
    }
    for (const between of [" or ", " / ", " · ", " – ", " "]) {
      assert.deepStrictEqual(numbered(`509–555–0100${between}509–555–0101`), ["ambiguous"], between)
    }
    assert.deepStrictEqual(numbered("99201-1234 · (509) 555-0100"), [])
  })

  it("is told with the number as it is written, whichever dashes are in it, and not with a part of one", () => {
    for (const dash of ["-", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2015", "\u2212", ".", "\u00b7"]) {
      const [phone, longer] = [["509", "555", "0100"].join(dash), ["1", "509", "555", "0100"].join(dash)]
      const quoting = (number: string) => `Ann Quill, Property Manager, ${number}`
      const of = (quote: string) => judged(quote, { ...anna, quote, email: null, phone })
      assert.deepStrictEqual(of(quoting(phone)).claims.flatMap(valuesOf), ["Ann Quill", "Property Manager", phone])
      assert.deepStrictEqual(of(quoting(longer)).dropped, ["not_quoted"], longer)
      assert.deepStrictEqual(of(quoting(`${phone}${dash}7`)).dropped, ["not_quoted"], phone)
    }
  })

  it("is told once, and nobody else where one is asked about", () => {
    assert.deepStrictEqual(dropped(anna.quote, anna, { ...anna, email: null }), ["duplicate"])
    const asked = judge([anna], [page(anna.quote)], { ...topic, person: "Bo Quill" })
    assert.deepStrictEqual(asked.dropped, ["not_asked"])
  })
})

describe("a company", () => {
  const manager = (quote: string, name = "Birch Sample") => ({ kind: "manager", page: 1, quote, name })
  const owner = (quote: string, name: string, owner_type = "fund") => ({
    kind: "owner",
    page: 1,
    quote,
    name,
    owner_type
  })

  it("manages the property that the quote names", () => {
    for (
      const quote of [
        "12 North Nonesuch Ln: Birch Sample",
        "12 N. Nonesuch, managed by Birch Sample",
        "Birch Sample runs Sample Tower"
      ]
    ) assert.lengthOf(judged(quote, manager(quote)).claims, 1, quote)
    for (
      const quote of [
        "112 Nonesuch Lane: Birch Sample",
        "12 S Nonesuch Lane: Birch Sample",
        "12 Nonesuchlike: Birch Sample",
        "Birch Sample runs towers"
      ]
    ) assert.deepStrictEqual(dropped(quote, manager(quote)), ["about_another_place"], quote)
  })

  it("owns what the quote names, and is neither a person nor the owner of record", () => {
    const quote = "Sample Tower Owner is a company of Oak Sample Fund"
    assert.lengthOf(judged(quote, owner(quote, "Oak Sample Fund")).claims, 1)
    assert.deepStrictEqual(dropped(quote, owner(quote, "Oak Sample Fund", "individual")), ["unfit_value"])
    assert.deepStrictEqual(dropped(quote, owner(quote, "Elm Sample")), ["not_quoted"])
    const alike = "Sample Tower Owner LLC owns towers"
    assert.deepStrictEqual(dropped(alike, owner(alike, "Sample Tower Owner LLC")), ["unfit_value"])
    const other = "Pine Owner is a company of Oak Sample Fund"
    assert.deepStrictEqual(dropped(other, owner(other, "Oak Sample Fund")), ["about_another_place"])
  })

  it("is not told of in words that name a person", () => {
    const quote = `Sample Tower: Birch Sample, Ann Quill, Property Manager`
    const both = [manager(quote), { ...anna, quote, email: null, phone: null }]
    assert.deepStrictEqual(dropped(quote, ...both), ["names_a_person"])
    const roleless = { ...anna, quote, role: "broker" }
    assert.deepStrictEqual(dropped(quote, manager(quote), roleless), ["names_a_person", "malformed"])
    const unread = [...Array.from({ length: mostProposals }, () => null), anna]
    assert.strictEqual(dropped(quote, manager(quote), ...unread)[0], "names_a_person")
    const mailed = "Sample Tower: Birch Sample, ann@birch.example"
    assert.deepStrictEqual(dropped(mailed, manager(mailed)), ["names_a_person"])
  })

  it("is not told of when two proposals contradict each other", () => {
    const quote = "Sample Tower: Birch Sample or Oak Sample"
    assert.deepStrictEqual(dropped(quote, manager(quote), manager(quote, "Oak Sample")), [
      "contradicted",
      "contradicted"
    ])
  })
})

describe("a number", () => {
  it.each([
    "(555) 123-4567",
    "+1 555.123.4567",
    "555\u2013123\u20134567",
    "555\u2011123\u20114567",
    "555\u2212123\u22124567",
    "555\u00b7123\u00b74567",
    "555 \u2022 123 \u2022 4567"
  ])("is seen however it is set: %s", (number) => {
    assert.isTrue(showsContact(number))
    assert.strictEqual(withoutContact(`Ann Quill, Engineer, ${number}, Quillgate`), "Ann Quill, Engineer, …, Quillgate")
  })
})

describe("whatever is proposed", () => {
  const words = fc.constantFrom(
    ..."Ann Bo Quill Sample Tower 12 Nonesuch Lane Property Manager ann@birch.example (509) 555-0100 by , .".split(" ")
  )
  const text = fc.array(words, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(" "))
  const piece = fc.tuple(text, fc.nat(200), fc.nat(60)).map(([from, at, length]) => from.slice(at, at + length))
  const value = fc.oneof(
    words,
    text,
    piece,
    fc.string(),
    fc.constantFrom("Ann Quill", "Property Manager", "Sample Tower")
  )
  const proposal = (page: string) => {
    const quote = fc.oneof(
      fc.constant(page),
      fc.tuple(fc.nat(page.length), fc.nat(80)).map(([at, length]) => page.slice(at, at + length)),
      value
    )
    const changes = {
      kind: fc.constantFrom("manager", "owner", "person", "firm"),
      page: fc.integer({ min: -1, max: 3 }),
      quote,
      name: value,
      title: value,
      role: fc.constantFrom("property_manager", "executive", "other"),
      email: fc.option(value),
      phone: fc.option(value)
    }
    return fc.oneof(
      fc.anything(),
      fc.record(changes),
      fc.record(changes, { requiredKeys: [] }).map((changed) => ({ ...anna, page: 2, ...changed }))
    )
  }
  const scene = text.chain((page) =>
    fc.record({ page: fc.constant(page), proposals: fc.array(proposal(page), { maxLength: 80 }) })
  )
  it("only what stands on a page is told, once, with its values in the words; the rest has a reason (S4)", () => {
    fc.assert(fc.property(scene, ({ page: text, proposals }) => {
      const pages = [page(text), page(anna.quote, { address: "https://birch.example/two" })]
      const { claims, dropped } = judge(proposals, pages, topic)
      assert.strictEqual(claims.length + dropped.length, proposals.length)
      assert.isAtMost(claims.length, Math.min(mostClaims, mostProposals))
      for (const claim of claims) {
        const from = pages.find(({ address }) => address === claim.evidence.address)
        assert.include(spaced(from?.text ?? ""), claim.evidence.quote)
        for (const each of valuesOf(claim)) assert.include(claim.evidence.quote, each)
      }
    }))
  })

  it("a value stands in a text as a whole, and never as a part of something longer (S4)", () => {
    fc.assert(fc.property(text, words.filter((word) => /^\w+$/.test(word)), (text, word) => {
      if (` ${text} `.includes(` ${word} `)) assert.isTrue(holds(text, word))
      assert.isFalse(holds(text.replaceAll(word, `x${word}`), word))
      assert.isFalse(holds(text.replaceAll(word, `${word}x`), word))
    }))
  })
})
