/** What takes long, or needs a program that is not always there: each by its name, `vitest run --config vitest.nightly.config.ts Pooler`. */
import { defineConfig, mergeConfig } from "vitest/config"
import ordinary from "./vitest.config.ts"

const config = mergeConfig(ordinary, defineConfig({ test: { maxWorkers: 1 } }))

export default { ...config, test: { ...config.test, include: ["packages/*/test/nightly/*.nightly.ts"] } }
