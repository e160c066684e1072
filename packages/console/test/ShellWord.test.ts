/** What the operator pastes into a shell, of which a customer chose a part. */
import { assert, it } from "vitest"
import { shellWord } from "../src/operator/ShellWord.ts"

it.each([
  ["ana+roofs@acme.example", "ana+roofs@acme.example"],
  ["o'neil@acme.example", String.raw`'o'\''neil@acme.example'`],
  ["$(id)`id`@acme.example", "'$(id)`id`@acme.example'"],
  ["ana;id@acme.example", "'ana;id@acme.example'"]
])("is one word of it: %s", (text, word) => {
  assert.strictEqual(shellWord(text), word)
})
