/** Drafts by a language model, over a small server on loopback that answers like one. */
import { assert, describe, it } from "@effect/vitest"
import { Drafter, type DraftFacts } from "@freehold/core/research/Drafter"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { buffer } from "node:stream/consumers"
import * as LanguageModelDrafter from "../../src/drafter/LanguageModelDrafter.ts"
import * as OpenAiCompatible from "../../src/drafter/OpenAiCompatible.ts"
import { served } from "../Loopback.ts"

const facts: DraftFacts = {
  recipient: { fullName: "Maria Sample", title: "Property Manager", roleType: "property_manager", employerName: null },
  property: {
    address: "4100 Sample Boulevard",
    city: "Quillgate",
    commonName: null,
    assetCategory: "Office",
    buildingSqft: 120_000,
    numFloors: 12,
    yearBuilt: 1984
  },
  strategy: { summary: "Made up.", approach: "Ask.", points: ["Flat roof."] },
  sender: { company: "Acme Roofing", name: "Ana Sample" },
  wish: { purpose: "roof inspections", tone: "formal" }
}

const good = {
  subject: "Roof inspections at 4100 Sample Boulevard",
  body:
    "Dear Maria,\n\nI'm writing about the 120,000 sq ft office at 4100 Sample Boulevard, built in 1984.\n\nAna Sample"
}

/** A server that answers every completion with this; undefined: never. */
const endpoint = (answer: { readonly status: number; readonly text: string } | undefined) => {
  const requests: Array<{ readonly path: string; readonly key: string; readonly body: string }> = []
  return Effect.map(
    served(async (request, response) => {
      const body = (await buffer(request)).toString("utf8")
      requests.push({ path: request.url ?? "", key: request.headers.authorization ?? "", body })
      if (answer !== undefined) {
        response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.text)
      }
    }),
    ({ origin }) => ({ requests, url: `${origin}/v1` })
  )
}

const completion = (content: unknown) => ({
  status: 200,
  text: JSON.stringify({
    choices: [{
      message: { role: "assistant", content: typeof content === "string" ? content : JSON.stringify(content) }
    }]
  })
})

const drafted = (url: string, timeout = Duration.seconds(10)) =>
  Drafter.use((drafter) => drafter.draft(facts)).pipe(
    Effect.provide(
      LanguageModelDrafter.layer(timeout).pipe(
        Layer.provide(
          OpenAiCompatible.layer({ url, model: "made-up-1", key: Option.some(Redacted.make("made-up-key")) })
        )
      ),
      { local: true }
    )
  )

describe("LanguageModelDrafter", () => {
  it.live("asks the model with the facts and nothing else, and answers its draft", () =>
    Effect.gen(function*() {
      const { requests, url } = yield* endpoint(completion(good))
      assert.deepStrictEqual(yield* drafted(url), good)
      const [request] = requests
      assert.deepInclude(request, { path: "/v1/chat/completions", key: "Bearer made-up-key" })
      const asked = JSON.parse(request?.body ?? "")
      assert.strictEqual(asked.model, "made-up-1")
      assert.deepStrictEqual(asked.response_format, { type: "json_object" })
      assert.deepStrictEqual(asked.messages.map(({ role }: { readonly role: string }) => role).slice(0, 2), [
        "system",
        "user"
      ])
      assert.include(asked.messages[1].content, "4100 Sample Boulevard")
    }))

  it.live("takes no draft that would have to be mended by hand", () =>
    Effect.gen(function*() {
      for (
        const [body, reason] of [
          ["Hi [First Name], a line.", "placeholder"],
          ["See https://acme.example for more.", "link"],
          ["We saved 450,000 dollars next door.", "number"]
        ] as const
      ) {
        const { url } = yield* endpoint(completion({ ...good, body }))
        assert.include((yield* Effect.flip(drafted(url))).reason, reason)
      }
    }))

  it.live("fails on an answer that is no draft, a refusal, a wrong body and nobody there", () =>
    Effect.gen(function*() {
      for (
        const answer of [
          completion("I cannot write that."),
          completion({ subject: "", body: "A line." }),
          { status: 401, text: "{}" },
          { status: 200, text: "<html>" }
        ]
      ) {
        const { url } = yield* endpoint(answer)
        assert.strictEqual((yield* Effect.flip(drafted(url)))._tag, "DraftFailed")
      }
      assert.strictEqual((yield* Effect.flip(drafted("http://127.0.0.1:1/v1")))._tag, "DraftFailed")
    }))

  it.live("gives up after a while", () =>
    Effect.gen(function*() {
      const { url } = yield* endpoint(undefined)
      const { reason } = yield* Effect.flip(drafted(url, Duration.millis(100)))
      assert.include(reason, "in time")
    }))
})
