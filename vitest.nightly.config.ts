/** What takes long, or needs a program that is not always there: each by its name, `vitest run --config vitest.nightly.config.ts Pooler`. */
import { defineConfig } from "vitest/config"
import { whole } from "./vitest.config.ts"

export default defineConfig({
  test: { ...whole, isolate: true, maxWorkers: 1, include: ["{packages/*,scripts}/test/nightly/*.nightly.ts"] }
})
