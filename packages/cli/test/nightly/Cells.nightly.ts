/** Cells as three installations, each with a PostgreSQL of its own from npm, on loopback. */
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import { Effect, Exit, Redacted, Scope } from "effect"
import { chmodSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { describe, inject } from "vitest"
import { cellScene } from "../cells/CellScene.ts"
import { runJson } from "../Freehold.ts"

const scope = Scope.makeUnsafe()

const installation = async (name: string) => {
  const dataDirectory = mkdtempSync(join(inject("postgres").folder, `${name}-`))
  chmodSync(dataDirectory, 0o711)
  const { url } = await Effect.runPromise(
    Scope.provide(EmbeddedPostgres.start({ dataDirectory, durable: false, temporary: true }), scope)
  )
  await runJson(["migrate"], { DATABASE_URL: Redacted.value(url), LOG_LEVEL: "error" })
  return url
}

describe("cells in servers of their own", () => {
  cellScene({
    whole: true,
    makeDatabases: async () => ({
      importer: await installation("importer"),
      east: await installation("east"),
      west: await installation("west"),
      mark: ""
    }),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  })
})
