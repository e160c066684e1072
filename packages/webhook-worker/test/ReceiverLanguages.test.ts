/** The checks that `docs/webhooks.md` prints, in each language that this machine has. */
import { sign } from "@freehold/webhook-worker/Signature"
import vectors from "@freehold/webhook-worker/signature-vectors.json" with { type: "json" }
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { ask, hasLanguage, languages, printedChecks, type Question } from "./ReceiverLanguages.ts"

const body = Buffer.from("{\"made\":\"up\"}")
const secret = "whsec_made-up"
const header = sign([Redacted.make(secret)], 1000, body)
const [, signature = ""] = header.split(",")
const signed: Question = { header, body, secret, now: 1000 }

/** Each vector by each of its secrets, and everything around a delivery that may be wrong. */
const questions: ReadonlyArray<Question> = [
  ...vectors.vectors.flatMap((vector) =>
    vector.secrets.flatMap((each) => {
      const genuine = {
        header: vector.header,
        body: Buffer.from(vector.bodyBase64, "base64"),
        secret: each,
        now: vector.timestamp
      }
      return [
        genuine,
        { ...genuine, body: Buffer.concat([genuine.body, Buffer.from(" ")]) },
        { ...genuine, secret: `${each}x` }
      ]
    })
  ),
  ...[-301, -300, 300, 301].map((offset) => ({ ...signed, now: 1000 + offset })),
  ...[
    "",
    "nonsense",
    "=",
    "t=1000",
    signature,
    `t=,${signature}`,
    `t=1e3,${signature}`,
    `t=1001,${signature}`,
    "t=1000,v1=",
    "t=1000,v1=é",
    `t=1000,v1=${"0".repeat(64)}`,
    `t=1000,${signature.slice(0, -1)}`,
    `t=1000,v2=${signature.slice(3)}`
  ].map((wrong) => ({ ...signed, header: wrong })),
  { ...signed, header: `${header},v1=${"0".repeat(64)},v2=later` },
  { ...signed, header: `t=1000,v1=${"0".repeat(64)},${signature}` }
]

const expected = questions.map((question) => verifySignature(question).valid)
const checks = printedChecks()
const missing = Object.keys(languages).filter((name) => {
  const language = languages[name]
  return language !== undefined && !hasLanguage(language)
})

describe("the checks of docs/webhooks.md", () => {
  it(`are printed for every language${missing.length === 0 ? "" : `; not on this machine: ${missing.join(", ")}`}`, () => {
    if (missing.length > 0) process.stdout.write(`not on this machine, hence not run: ${missing.join(", ")}\n`)
    assert.sameMembers([...checks.keys()], Object.keys(languages))
    assert.include(expected, true)
    assert.include(expected, false)
  })

  for (const [name, language] of Object.entries(languages)) {
    if (missing.includes(name)) continue
    it(`judge as verifySignature does: ${name}`, () => {
      const folder = mkdtempSync(join(tmpdir(), "freehold-language-"))
      try {
        const answers = ask(language, checks.get(name) ?? "", questions, folder)
        const judged = (verdicts: ReadonlyArray<boolean>) =>
          questions.map((question, index) => [question.header, question.now, verdicts[index]])
        assert.deepStrictEqual(judged(answers), judged(expected))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
