/** Bodies at the app's doors: a member's large ones are read as those of the organization's keys, and to sign in takes a short one. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Pace from "../../src/Pace.ts"
import { maximumBytes } from "../../src/RequestBody.ts"
import { TestHost } from "../TestHost.ts"
import { codeOf, fromPage, host, post, signedIn } from "./AppPeople.ts"

/** Refused when it was read, by its arguments. */
const large = { id: "x".repeat(maximumBytes - 100) }

const patient = (Pace.bodies.bytesAtOnce + Pace.bodies.bytesPerSecond * Pace.bodies.patience / 1000) / maximumBytes

const short = 4096

/** A body that does not say how long it is. */
const unannounced = (text: string) => new Blob([text]).stream()

layer(host, { excludeTestServices: true })("Large bodies at the app's doors", (it) => {
  it.effect("503 TEMPORARILY_UNAVAILABLE: more of one organization's members than are read within the time that a request waits", () =>
    Effect.gen(function*() {
      const members = yield* Effect.all([signedIn("team"), signedIn("team")])
      const other = yield* signedIn("gated")
      const [many, another] = yield* Effect.all([
        Effect.forEach(
          Array.from({ length: 3 * patient }, (_, index) => members[index % 2] ?? other),
          ({ ask }) => ask("app_open_property", large),
          { concurrency: "unbounded" }
        ),
        other.ask("app_open_property", large)
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(codeOf(another), [400, "INVALID_ARGUMENTS"])
      const refused = many.filter(({ status }) => status === 503)
      // However slowly they come.
      assert.isNotEmpty(refused)
      assert.isAtLeast(many.filter(({ status }) => status === 400).length, patient - 1)
      for (const answer of refused) {
        assert.deepStrictEqual(codeOf(answer), [503, "TEMPORARILY_UNAVAILABLE"])
        assert.strictEqual(answer.headers.get("retry-after"), String(Pace.bodies.patience / 1000))
      }
    }))

  for (const [path, field] of [["sign-in", "link"], ["sign-in/look", "link"], ["change", "org_id"]] as const) {
    it.effect(`413: more than 4 KiB at /console/${path}, whether the body says so or not`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { cookie } = yield* signedIn("rich")
        const headers = { ...fromPage, cookie, "content-type": "application/json" }
        const around = JSON.stringify({ [field]: "" }).length
        const fits = yield* post(`/console/${path}`, { [field]: "x".repeat(short - around) }, { cookie })
        assert.strictEqual(fits.status, 403)
        const above = JSON.stringify({ [field]: "x".repeat(short - around + 1) })
        for (const body of [above, unannounced(above)]) {
          const refused = yield* call("POST", `/console/${path}`, { headers, body })
          assert.deepStrictEqual(codeOf(refused), [413, "INVALID_ARGUMENTS"])
          assert.strictEqual(refused.body.refusal.message, "The request body is larger than 4 KiB.")
        }
      }))
  }
})
