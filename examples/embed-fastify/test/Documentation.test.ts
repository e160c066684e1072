import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const root = new URL("../../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

it.each([["docs/embedding.md", 13], ["docs/quickstart/embedder.md", 3], ["docs/quickstart/client.md", 1]] as const)(
  "the code that %s shows is that of the examples",
  (page, least) => {
    let source = ""
    let shown = 0
    for (const [, path, block] of read(page).matchAll(/^`(examples\/\S+)`:$|^```ts\n([^]*?)^```$/gm)) {
      if (path !== undefined) source = read(path)
      if (block === undefined) continue
      shown += 1
      assert.include(source, block)
    }
    assert.isAtLeast(shown, least)
  }
)
