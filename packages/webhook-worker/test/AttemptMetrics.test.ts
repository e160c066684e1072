/** Of which endpoints attempts are counted as failed. */
import { assert, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import * as AttemptMetrics from "../src/AttemptMetrics.ts"

const failed = (endpoint: string) =>
  Effect.map(
    Metric.snapshot,
    (series) =>
      series.flatMap(({ attributes, id, state }) =>
        id === "freehold_webhook_endpoint_attempts_total" && attributes?.["endpoint"] === endpoint
          && attributes["outcome"] === "failed"
          ? [state]
          : []
      )
  )

it.effect("a CRM that asked to wait did not fail", () =>
  Effect.gen(function*() {
    const { count } = yield* AttemptMetrics.make
    yield* count("busy", "postponed", 3)
    assert.deepStrictEqual(yield* failed("busy"), [])
    yield* count("busy", "unanswered", 3)
    yield* count("busy", "postponed", 3)
    assert.deepStrictEqual((yield* failed("busy")).map((state) => "count" in state ? state.count : null), [1])
  }))
