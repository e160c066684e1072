/** The hand-written server as a child process, and the file of statements that it runs. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as ListsPg from "@freehold/adapters-pg/list/ListsPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import { callerOf } from "@freehold/core/access/Admission"
import { Caller } from "@freehold/core/access/Caller"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import * as PropertySearcher from "@freehold/core/property/PropertySearcher"
import { SearchInput } from "@freehold/core/property/SearchInput"
import { Effect, identity, Layer, Redacted, Schema } from "effect"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Child from "./Child.ts"
import type { Customer } from "./Customers.ts"
import type { BaselineFile } from "./FastifyBaseline.ts"
import { type Captured, statementsOf } from "./StatementCapture.ts"

const main = fileURLToPath(new URL("./FastifyBaseline.ts", import.meta.url))

const domain = (database: Redacted.Redacted) =>
  Layer.mergeAll(
    KeyRingPg.layer,
    ListsPg.layer,
    PropertySearchPg.layer,
    CursorSeal.layer(Redacted.make(new Uint8Array(32)))
  ).pipe(
    Layer.provideMerge(NodeCrypto.layerDigest),
    Layer.provide([NodeCrypto.layerCipher, NodeCrypto.layerMac]),
    Layer.provide(Database.layer({ url: database }))
  )

/** All but that for the counties, which both servers read once in a while. */
const besideCounties = (statements: ReadonlyArray<Captured>): ReadonlyArray<Captured> =>
  statements.filter(({ text }) => !text.includes("FROM county "))

const only = (statements: ReadonlyArray<Captured>): Captured => {
  const [statement, ...others] = statements
  if (statement === undefined || others.length > 0) throw new Error(`expected one statement, not ${statements.length}`)
  return statement
}

/**
 * What the product's own adapters send for a key and for each body of a search. What finds nothing is left out: the product
 * looks for the reason, by further statements.
 */
export const capture = Effect.fn("Baseline.capture")(function*(
  database: Redacted.Redacted,
  { secret }: Customer,
  bodies: ReadonlyArray<string>
) {
  return yield* Effect.gen(function*() {
    const keys = yield* KeyRing
    const hash = createHash("sha256").update(secret).digest("hex")
    const authorize = only(yield* statementsOf(keys.authorize(hash, 0)))
    const caller = callerOf(yield* Effect.flatMap(keys.authorize(hash, 1), Effect.fromOption), "benchmark")
    const { find } = yield* PropertySearcher.make
    const searches: Record<string, Captured> = {}
    for (const body of bodies) {
      const input = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(SearchInput))(body)
      const [search, ...explaining] = besideCounties(
        yield* Effect.provideService(statementsOf(find(input)), Caller, caller)
      )
      if (search !== undefined && explaining.length === 0) searches[body] = search
    }
    return { authorize, searches } satisfies BaselineFile
  }).pipe(Effect.provide(domain(database)))
})

/**
 * The program of a baseline, running until the scope closes; it reads what it answers by in `file`, which is written for it.
 * `as`: how it is started otherwise.
 */
export const start = Effect.fn("Baseline.start")(function*(
  main: string,
  database: Redacted.Redacted,
  file: string,
  content: object,
  as: (program: Child.Program) => Child.Program = identity
) {
  writeFileSync(file, JSON.stringify(content))
  const child = yield* Child.start(as({
    command: process.execPath,
    args: [main],
    env: { DATABASE_URL: Redacted.value(database), BASELINE_FILE: file, NODE_ENV: "production" }
  }))
  const [, root = ""] = yield* child.line(/listening on (http:\/\/\S+)/)
  return { ...child, root }
})

/** The server written by hand, until the scope closes. */
export const serve = (
  database: Redacted.Redacted,
  statements: BaselineFile,
  folder: string,
  as?: (program: Child.Program) => Child.Program
) => start(main, database, `${folder}/baseline.json`, statements, as)
