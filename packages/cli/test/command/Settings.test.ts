/** `freehold settings` tells what is in force and where it came from, and nobody's secret. */
import { assert, describe, it } from "vitest"
import { run } from "../Freehold.ts"

const encryptionKey = Buffer.alloc(32, 7).toString("base64")

const env = {
  DATABASE_URL: "postgres://ana:hush1@db.example:5432/freehold?password=hush2",
  FREEHOLD_ENCRYPTION_KEY: encryptionKey,
  FREEHOLD_API_KEY: `fhk_${"s".repeat(43)}`,
  FREEHOLD_APP_URL: "https://app.example",
  FREEHOLD_FEED_DELAI: "1 second"
}

describe("freehold settings", () => {
  it("prints each with its origin, hides secrets, and warns of what is no setting", async () => {
    const { code, stderr, stdout } = await run(["settings", "--json"], env)
    assert.strictEqual(code, 0, stderr)
    const { items, unknown } = JSON.parse(stdout)
    const of = (name: string) => {
      const { source, value } = items.find((item: { readonly name: string }) => item.name === name)
      return [value, source]
    }
    assert.deepStrictEqual(of("DATABASE_URL"), [
      "postgres://ana:(hidden)@db.example:5432/freehold?(hidden)",
      "environment"
    ])
    assert.deepStrictEqual(of("FREEHOLD_ENCRYPTION_KEY"), ["(hidden)", "environment"])
    assert.deepStrictEqual(of("FREEHOLD_APP_URL"), ["https://app.example", "environment"])
    assert.deepStrictEqual(of("PORT"), ["8080", "default"])
    assert.deepStrictEqual(of("OAUTH_ISSUER"), [null, "not set"])
    const warning = "FREEHOLD_FEED_DELAI is no setting; did you mean FREEHOLD_FEED_DELAY?"
    assert.deepStrictEqual(unknown, [warning])
    assert.strictEqual(stderr, `warning: ${warning}\n`)
    const readable = await run(["settings"], env)
    for (const secret of ["hush", encryptionKey, "ssss"]) assert.notInclude(stdout + readable.stdout, secret)
    assert.match(readable.stdout, /^PORT +8080 +default$/m)
  })

  it("prints the rest beside one that does not parse, and exits 2", async () => {
    const { code, stderr, stdout } = await run(["settings"], { PORT: "eighty", FREEHOLD_API_KEY: "hush" })
    assert.strictEqual(code, 2)
    assert.match(stdout, /^PORT +PORT must be a port number from 0 to 65535, not "eighty" +environment$/m)
    assert.match(stdout, /^HOST +127\.0\.0\.1 +default$/m)
    assert.match(stderr, /^freehold: PORT must be .+\n$/)
    assert.notInclude(stdout + stderr, "hush")
  })

  it("names a database whose password cuts its URL short, and shows none of it", async () => {
    const { code, stderr, stdout } = await run(["settings"], { DATABASE_URL: "postgres://freehold:hu/sh@db/freehold" })
    assert.strictEqual(code, 2)
    assert.match(stdout, /^DATABASE_URL +DATABASE_URL must be a postgres:\/\/ URL .+ environment$/m)
    assert.match(stderr, /^freehold: DATABASE_URL must be .+%2F.+\n$/)
    assert.notMatch(stdout + stderr, /hu\/sh|sh@db/)
  })

  it("is where every other command's warning points to", async () => {
    const { stderr } = await run(["org", "show", "org_x"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      FREEHOLD_APPURL: "https://app.example"
    })
    assert.include(stderr, "FREEHOLD_APPURL is no setting; did you mean FREEHOLD_APP_URL?")
  })
})
