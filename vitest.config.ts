/**
 * One run over the tests of every package.
 *
 * *Gotchas*: files run in separate processes, because a test that starts PostgreSQL or a server owns sockets, signals
 * and environment that threads would share.
 */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const postgres = fileURLToPath(new URL("packages/adapters-pg/test/PostgresGlobalSetup.ts", import.meta.url))

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/*.test.ts"],
    globalSetup: existsSync(postgres) ? [postgres] : [],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    restoreMocks: true,
    passWithNoTests: false
  }
})
