/**
 * One run over the tests of every package.
 *
 * *Gotchas*: files run in separate processes, because a test that starts PostgreSQL or a server owns sockets, signals
 * and environment that threads would share. What needs Linux has `.linux.` in its name, and is no test elsewhere.
 */
import { configDefaults, defineConfig } from "vitest/config"

const foreign = process.platform === "linux" ? [] : ["**/*.linux.*.test.ts"]

export default defineConfig({
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "examples/*/test/*.test.ts",
      "scripts/test/*.test.ts",
      "bench/test/*.test.ts"
    ],
    exclude: [...configDefaults.exclude, ...foreign],
    globalSetup: [
      "packages/adapters-pg/test/PostgresGlobalSetup.ts",
      "packages/console/testing/BrowserGlobalSetup.ts",
      "packages/console/testing/BuildGlobalSetup.ts",
      "packages/freehold/testing/CommandGlobalSetup.ts"
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
    restoreMocks: true,
    passWithNoTests: false
  }
})
