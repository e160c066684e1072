/** A made-up organization with a key and twelve credits, to try the server with. Making it again changes nothing. */
import * as Apply from "@freehold/core/provision/Apply"
import * as ApplyDocument from "@freehold/core/provision/ApplyDocument"
import { Effect, Redacted } from "effect"

const document = ApplyDocument.decode({
  organizations: [{
    org_id: "sample_org",
    plan: "enterprise",
    serviceable_area: { county_fips: ["36061"] },
    grants: [{ ref: "order 1", bucket: "purchased", amount: 12 }],
    keys: [{ name: "sample", scopes: ["data:unlock", "events:subscribe", "leads:read_single", "mcp"] }]
  }]
})

/** The secret of the key, which only its making knows. */
export const make = Effect.gen(function*() {
  const { apply } = yield* Apply.make
  const { organizations } = yield* apply(yield* Effect.fromResult(document))
  const secret = organizations[0]?.keys[0]?.secret
  return secret === undefined ? null : Redacted.value(secret)
})
