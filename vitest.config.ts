/**
 * One run over the tests of every package, in two projects.
 *
 * - `pure` is what needs nothing but its own process: the core and the REST host. One of its files starts at once, without a
 *   database.
 * - `whole` is everything else: real databases, programs and browsers.
 *
 * Files share processes, so that what they all import is loaded once for each and not two hundred times. They do not share
 * them at the same time: a test that starts PostgreSQL or a server owns sockets, signals and environment, which threads would share.
 *
 * *Gotchas*: what a file leaves behind in its modules is there for the next. What needs Linux has `.linux.` in its name, and
 * is no test elsewhere.
 */
import { configDefaults, defineConfig, type TestUserConfig } from "vitest/config"

const foreign = process.platform === "linux" ? [] : ["**/*.linux.*.test.ts"]

const pure = ["packages/core/test/**/*.test.ts", "packages/http-host/test/**/*.test.ts"]

/** Of files that meet a database or a program. */
export const whole: TestUserConfig = {
  pool: "forks",
  isolate: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  teardownTimeout: 30_000,
  restoreMocks: true,
  globalSetup: [
    "packages/adapters-pg/test/PostgresGlobalSetup.ts",
    "packages/console/testing/BrowserGlobalSetup.ts",
    "packages/freehold/testing/CommandGlobalSetup.ts"
  ]
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: false,
    projects: [
      { test: { ...whole, name: "pure", include: pure, globalSetup: [] } },
      {
        test: {
          ...whole,
          name: "whole",
          include: [
            "packages/*/test/**/*.test.ts",
            "examples/*/test/*.test.ts",
            "scripts/test/*.test.ts",
            "bench/test/*.test.ts"
          ],
          exclude: [...configDefaults.exclude, ...pure, ...foreign]
        }
      }
    ]
  }
})
