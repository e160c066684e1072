/** Migrates an empty database and writes its schema, to be read, to `docs/schema.md`. */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Database from "../packages/adapters-pg/src/Database.ts"
import * as EmbeddedPostgres from "../packages/adapters-pg/src/EmbeddedPostgres.ts"
import * as Migrations from "../packages/adapters-pg/src/Migrations.ts"
import * as SchemaPage from "./SchemaPage.ts"

const file = join(import.meta.dirname, "../docs/schema.md")

const text = Effect.gen(function*() {
  const { url } = yield* EmbeddedPostgres.start({
    dataDirectory: mkdtempSync(join(tmpdir(), "freehold-schema-")),
    durable: false,
    temporary: true
  })
  return yield* Effect.andThen(Migrations.run, SchemaPage.read).pipe(
    Effect.map(SchemaPage.page),
    Effect.provide(Database.layer({ url, applicationName: "freehold schema", maxConnections: 2 }), { local: true })
  )
}).pipe(Effect.scoped)

writeFileSync(file, await Effect.runPromise(text))
execFileSync(join(import.meta.dirname, "../node_modules/.bin/dprint"), ["fmt", file])
