import { assert, describe, it } from "@effect/vitest"
import { RoleType } from "@freehold/core/contact/Contact"
import type { DraftFacts } from "@freehold/core/research/Drafter"
import { write } from "@freehold/core/research/TemplateDrafter"
import * as fc from "fast-check"

const place = {
  address: "4100 Sample Boulevard",
  city: "Quillgate",
  commonName: null,
  assetCategory: "Office",
  buildingSqft: 120_000,
  numFloors: 12,
  yearBuilt: 1984
}

const facts = (more: {
  readonly recipient?: Partial<DraftFacts["recipient"]>
  readonly property?: Partial<typeof place> | { readonly commonName: string } | null
  readonly wish?: Partial<DraftFacts["wish"]>
  readonly name?: string | null
}): DraftFacts => ({
  recipient: {
    fullName: "Maria Sample",
    title: null,
    roleType: "property_manager",
    employerName: null,
    ...more.recipient
  },
  property: more.property === null ? null : { ...place, ...more.property },
  strategy: { summary: "Made up.", approach: "Ask.", points: [] },
  sender: { company: "Acme Roofing", name: more.name === undefined ? "Ana Sample" : more.name },
  wish: { purpose: null, tone: null, ...more.wish }
})

const lines = (...paragraphs: ReadonlyArray<string>): string => paragraphs.join("\n\n")

describe("the template drafter", () => {
  it("writes to somebody who decides about a topic", () => {
    assert.deepStrictEqual(write(facts({ wish: { purpose: "annual roof inspections" } })), {
      subject: "Annual roof inspections at 4100 Sample Boulevard",
      body: lines(
        "Hi Maria,",
        "I'm writing about the 12-story office building at 4100 Sample Boulevard in Quillgate. I'm with Acme Roofing, and I'd " +
          "like to talk to you about annual roof inspections.",
        "Would you have ten minutes for a call this week or next?",
        "Best,\nAna Sample\nAcme Roofing"
      )
    })
  })

  it("writes a subject of one line, whatever lines the purpose and the building's name have", () => {
    const wish = { purpose: "roof\n inspections\u2028\tBcc: all\n" }
    const { body, subject } = write(facts({ wish, property: { commonName: "Sample\r\nTower" } }))
    assert.strictEqual(subject, "Roof inspections Bcc: all at Sample Tower")
    assert.include(body, "talk to you about roof inspections Bcc: all.")
  })

  it("writes formally, by the building's name, to arrange something", () => {
    const recipient = { fullName: "Dr. James T. Sample Jr.", roleType: "owner_principal" as const }
    const wish = { purpose: "To schedule a free roof walk-through.", tone: "formal" }
    assert.deepStrictEqual(write(facts({ recipient, wish, property: { commonName: "Sample Tower" } })), {
      subject: "A question about Sample Tower",
      body: lines(
        "Dear James T. Sample,",
        "I'm writing about Sample Tower, the 12-story office building at 4100 Sample Boulevard in Quillgate. I'm with Acme " +
          "Roofing, and I'd like to schedule a free roof walk-through.",
        "Would a day this week or next suit you?",
        "Kind regards,\nAna Sample\nAcme Roofing"
      )
    })
  })

  it("writes directly about work, signed by the company alone when nobody asked", () => {
    const recipient = { fullName: "Priya Sample", roleType: "chief_engineer" as const }
    const property = { assetCategory: "Multifamily", numFloors: 2 }
    assert.deepStrictEqual(
      write(facts({ recipient, property, name: null, wish: { purpose: "Replace the rooftop units", tone: "direct" } })),
      {
        subject: "A question about 4100 Sample Boulevard",
        body: lines(
          "Priya,",
          "This is about the multifamily property at 4100 Sample Boulevard in Quillgate. I'm with Acme Roofing, and we could " +
            "replace the rooftop units.",
          "Is that yours, or who decides on it?",
          "Thanks,\nAcme Roofing"
        )
      }
    )
  })

  it.each([
    ["We offer HVAC maintenance. Call us", ". We offer HVAC maintenance. Call us.", "Would you have ten minutes"],
    ["Can we bid on the roof?", ". Can we bid on the roof?", "Would you have ten minutes"],
    ["I'd love to show you our drone survey.", ", and I'd like to show you our drone survey.", "Would a day this week"],
    ["we want to repair the roof", ", and we could repair the roof.", "Is that something you are planning"],
    ["our spring discount", ", and I'd like to talk to you about our spring discount.", "Would you have ten minutes"],
    [
      "St. Mary's roof replacement",
      ", and I'd like to talk to you about St. Mary's roof replacement.",
      "Would you have"
    ]
  ])("takes %j as it was said", (purpose, said, asked) => {
    const [, message, question] = write(facts({ wish: { purpose } })).body.split("\n\n")
    assert.isTrue(message?.endsWith(`I'm with Acme Roofing${said}`), message)
    assert.isTrue(question?.startsWith(asked), question)
  })

  it("asks who the right person is, where a deed is offered to somebody who may know", () => {
    const recipient = { roleType: "legal" as const }
    assert.include(
      write(facts({ recipient, wish: { purpose: "schedule a visit" } })).body,
      "I'd like to schedule a visit.\n\nAre you the right person for that, or could you tell me who is?"
    )
    assert.include(
      write(facts({ recipient, wish: { purpose: "We inspect roofs." } })).body,
      "I'm looking for the person to talk to. We inspect roofs.\n\nIf that isn't you, could you tell me who it is?"
    )
  })

  it("asks somebody who may know for the one who does", () => {
    const recipient = { roleType: "registered_agent" as const }
    const { body } = write(facts({ recipient, wish: { purpose: "HVAC maintenance contract for 2027" } }))
    assert.include(body, "I'm looking for the person to talk to about an HVAC maintenance contract for 2027.")
    assert.include(body, "If that isn't you, could you tell me who it is?")
  })

  it("writes without a building and without a purpose", () => {
    const draft = write(facts({ property: null }))
    assert.strictEqual(draft.subject, "A question from Acme Roofing")
    assert.include(draft.body, "I'm with Acme Roofing, and I'd like to introduce us.")
  })

  it.each([
    ["SAMPLE, MARIA ELENA", "Hi Maria,"],
    ["LEE", "Hi Lee,"],
    ["J. Sample", "Hi J. Sample,"],
    ["Mrs. Ana-Lena Sample, Esq.", "Hi Ana-Lena,"],
    ["Cedar Sample Holdings LLC", "Hello,"]
  ])("greets %s", (fullName, expected) => {
    assert.strictEqual(write(facts({ recipient: { fullName } })).body.split("\n")[0], expected)
  })

  it("is short plain text with nothing left to fill in, whatever is known", () => {
    const known = fc.record({
      fullName: fc.constantFrom("Maria Sample", "SAMPLE, MARIA", "X", "Cedar Sample LLC", "Dr."),
      roleType: fc.constantFrom(null, ...RoleType.literals),
      purpose: fc.constantFrom(
        null,
        "roof inspections",
        "to meet",
        "Replace the roof",
        "an audit",
        "  ",
        "x".repeat(300)
      ),
      tone: fc.constantFrom(null, "friendly", "formal", "direct"),
      name: fc.constantFrom(null, "Ana Sample"),
      property: fc.option(fc.record({
        city: fc.constantFrom(null, "Quillgate"),
        commonName: fc.constantFrom(null, "Sample Tower"),
        assetCategory: fc.constantFrom(null, "Land", "Office", "Self Storage", "Other", "Hospitality"),
        numFloors: fc.constantFrom(null, 1, 2.5, 12),
        yearBuilt: fc.constantFrom(null, 1984)
      }))
    })
    fc.assert(
      fc.property(known, ({ fullName, name, property, purpose, roleType, tone }) => {
        const given = facts({
          recipient: { fullName, roleType },
          name,
          property: property as Partial<typeof place> | null,
          wish: { purpose, tone }
        })
        const { body, subject } = write(given)
        assert.isAtMost(subject.length, 120)
        assert.isAtMost(body.length - (purpose?.length ?? 0), 450)
        assert.notMatch(`${subject}\n${body}`, /undefined|null|\[|\]|<|>|\{|\}| ,| \.|\n\n\n|, and I'd like to \./)
        assert.isTrue(body.endsWith("\nAcme Roofing"))
        if (given.property !== null) assert.include(body, given.property.address)
        const told = JSON.stringify(given)
        for (const number of body.match(/\d+/g) ?? []) assert.include(told, number)
      }),
      { numRuns: 300 }
    )
  })
})
