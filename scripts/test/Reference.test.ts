/** The pages that are made of the code are those that are checked in, and leave nothing out. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { schemaKinds, text } from "../../packages/cli/src/Schemas.ts"
import * as ImportPage from "../ImportPage.ts"
import * as SettingsPage from "../SettingsPage.ts"

const root = join(import.meta.dirname, "../..")
const stored = (file: string): string => readFileSync(join(root, file), "utf8")

describe("docs/settings.md", () => {
  it("is what the code says; if not: pnpm reference", () => {
    assert.isTrue(SettingsPage.page() === stored("docs/settings.md"), "docs/settings.md differs; run: pnpm reference")
  })

  it("has every variable that any file names", () => {
    const page = stored("docs/settings.md")
    // Names that exist to be unknown.
    const madeUp = /_(FEED_DELAI|WEBHOK_TARGET|APPURL|PORT|QQQQ)$/
    const files = execFileSync("git", ["ls-files", "*.ts", "*.md", "*.yml", "*.yaml", ".ci/run"], {
      cwd: root,
      encoding: "utf8"
    })
    const named = files.trim().split("\n").flatMap((file) =>
      [...stored(file).matchAll(/\bFREEHOLD_[A-Z][A-Z_]*[A-Z]\b|process\.env\["([A-Z_]+)"\]/g)].map(([whole, name]) =>
        name ?? whole
      )
    )
    // Of other programs, and of an example.
    const foreign = new Set(["PATH", "NODE_ENV", "BASELINE_FILE", "BILLING_ACCOUNTS"])
    const missing = [...new Set(named)].filter((name) =>
      !foreign.has(name) && !madeUp.test(name) && !page.includes(`\`${name}\``)
    )
    assert.deepStrictEqual(missing, [])
  })
})

describe("docs/import.md and docs/schemas", () => {
  it("are what the code says; if not: pnpm reference", () => {
    assert.isTrue(ImportPage.page() === stored("docs/import.md"), "docs/import.md differs; run: pnpm reference")
    for (const kind of schemaKinds) {
      const file = `docs/schemas/${kind}.json`
      assert.isTrue(text(kind) === stored(file), `${file} differs; run: pnpm reference`)
    }
  })
})
