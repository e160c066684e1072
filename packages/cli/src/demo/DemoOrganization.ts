/** The organization of the demonstration, as an apply document, and its key. */
import * as ApiKey from "@freehold/core/access/ApiKey"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Scope } from "@freehold/core/operation/Scope"
import * as Apply from "@freehold/core/provision/Apply"
import type { ApplyDocument } from "@freehold/core/provision/ApplyDocument"
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Path from "node:path"
import { CommandRefused } from "../CommandRefused.ts"
import * as DataDirectory from "../DataDirectory.ts"
import * as SecretFile from "../SecretFile.ts"
import { licensed, visible } from "./DemoRecords.ts"

export const orgId = "org_demo"

/** The member who did what is there already, and who can be named with `--by`. */
export const memberEmail = "ada@demo.example"

const document: ApplyDocument = {
  organizations: [{
    org_id: orgId,
    name: "Demonstration (demo)",
    plan: "enterprise",
    features: { signals: true },
    serviceable_area: { whole_state_abbrs: [], county_fips: [licensed.fips, visible.fips] },
    entitlement: { nationwide: false, state_abbrs: [], county_fips: [licensed.fips] },
    export_allowance: { max_exports_per_month: 1000, max_rows_per_month: 100_000 },
    grants: [{ ref: "demonstration", bucket: "included", amount: 1000 }],
    members: [{ email: memberEmail, name: "Ada Sampleton", role: "admin" }]
  }]
}

export const create = Effect.flatMap(Apply.make, ({ apply }) => apply(document))

const keyName = "demonstration"

const fileName = "demo-key"

/** The key that is kept in the data directory, known to the database. */
export const key = Effect.gen(function*() {
  const directory = yield* DataDirectory.ready
  const keys = yield* KeyRing
  const random = yield* SecureRandom.SecureRandom
  const { secret: kept } = yield* SecretFile.keep(directory, fileName, Effect.map(ApiKey.generate, Redacted.value))
  const file = Path.join(directory, fileName)
  if (!ApiKey.isWellFormed(kept)) {
    return yield* new DataDirectory.DataDirectoryFault({ file, detail: "it holds no key; remove it to have one made" })
  }
  const secret = Redacted.make(kept)
  const label = ApiKey.label(keyName, secret)
  const known = (yield* keys.list(orgId)).filter(({ name }) => name === keyName)
  const mine = known.find((each) => each.label === label)
  const refused = (what: string) =>
    new CommandRefused({ reason: `the demonstration key in ${file} was ${what}; remove the file to have another made` })
  if (mine?.status === "revoked") return yield* refused("revoked")
  if (mine !== undefined) return secret
  const create = keys.create({
    credentialId: yield* random.uuidV7(),
    orgId,
    name: keyName,
    label,
    secretHash: yield* ApiKey.hash(secret),
    scopes: Scope.literals,
    dailyLimits: {}
  })
  /** Those of other data directories make room. */
  const revokeOthers = Effect.forEach(
    known.filter(({ status }) => status === "active"),
    ({ credentialId }) => keys.revoke(credentialId)
  )
  yield* create.pipe(
    Effect.catchTag("CREDENTIAL_LIMIT_REACHED", () => Effect.andThen(revokeOthers, create)),
    Effect.catchTag("SecretInUse", () => refused("given another secret"))
  )
  return secret
})
