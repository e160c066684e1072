import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const root = new URL("../../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

it("the code that docs/embedding.md shows is that of the examples", () => {
  let source = ""
  let shown = 0
  for (const [, path, block] of read("docs/embedding.md").matchAll(/^`(examples\/\S+)`:$|^```ts\n([^]*?)^```$/gm)) {
    if (path !== undefined) source = read(path)
    if (block === undefined) continue
    shown += 1
    assert.include(source, block)
  }
  assert.isAtLeast(shown, 8)
})
