/** What the environment may say, and how a fault in it is told. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Layer, Option, Redacted } from "effect"
import { settings as list } from "../src/setting/SettingList.ts"
import { unknownOf } from "../src/setting/UnknownSettings.ts"
import { Settings } from "../src/Settings.ts"

const read = (environment: Record<string, string>) =>
  Settings.use((settings) => Effect.succeed(settings)).pipe(
    Effect.provide(
      Settings.layer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment))))
    )
  )

const key = Buffer.alloc(32, 7).toString("base64")

describe("Settings", () => {
  it.effect("has a value for everything that is not set, or set to nothing", () =>
    Effect.gen(function*() {
      const settings = yield* read({ DATABASE_URL: "" })
      assert.isTrue(Option.isNone(settings.databaseUrl))
      assert.strictEqual(settings.dataDirectory, ".freehold")
      assert.deepStrictEqual([settings.host, settings.port], ["127.0.0.1", 8080])
      assert.strictEqual(settings.webhookTargets, "public")
      assert.deepStrictEqual(settings.webhookRetryDelays.map(Duration.toSeconds), [30, 60, 120, 240])
      assert.deepStrictEqual(settings.trustedProxies, [])
      assert.strictEqual(settings.logLevel, "Info")
    }))

  it.effect("reads durations, lists, origins and keys", () =>
    Effect.gen(function*() {
      const settings = yield* read({
        FREEHOLD_WEBHOOK_RETRY_DELAYS: "500 millis, 1 second",
        FREEHOLD_FEED_DELAY: "0 seconds",
        FREEHOLD_TRUSTED_PROXIES: "10.0.0.0/8,fd00::/8",
        FREEHOLD_PUBLIC_URL: "https://api.example.com/",
        FREEHOLD_ALLOWED_ORIGINS: "https://a.example, https://b.example:8443",
        FREEHOLD_CORS_ORIGINS: "https://c.example/",
        FREEHOLD_ENCRYPTION_KEY: key,
        OAUTH_ISSUER: "https://issuer.example/realm/",
        LOG_LEVEL: "WARN",
        PORT: "0"
      })
      assert.deepStrictEqual(settings.webhookRetryDelays.map(Duration.toMillis), [500, 1000])
      assert.strictEqual(Duration.toMillis(settings.feedDelay), 0)
      assert.strictEqual(settings.trustedProxies.length, 2)
      assert.deepStrictEqual(settings.publicUrl, Option.some("https://api.example.com"))
      assert.deepStrictEqual(settings.corsOrigins, ["https://c.example"])
      assert.deepStrictEqual(settings.allowedOrigins, Option.some(["https://a.example", "https://b.example:8443"]))
      assert.deepStrictEqual(Option.map(settings.encryptionKey, (each) => Redacted.value(each).length), Option.some(32))
      assert.deepStrictEqual(settings.oauthIssuer, Option.some("https://issuer.example/realm/"), "to the letter")
      assert.strictEqual(settings.logLevel, "Warn")
      assert.strictEqual(settings.port, 0)
    }))

  it.effect("has examples that may be copied: all of them together are a whole environment", () =>
    Effect.gen(function*() {
      const each = Object.values(list)
      const settings = yield* read(Object.fromEntries(each.map(({ example, name }) => [name, example])))
      assert.deepStrictEqual(settings.appUrl, Option.some("https://app.example.com"))
      assert.isTrue(Option.isSome(settings.drafter) && Option.isSome(settings.researcher))
      assert.strictEqual(new Set(each.map(({ name }) => name)).size, each.length)
    }))

  it("knows which variables are none of it, and which one was meant", () => {
    assert.deepStrictEqual(
      unknownOf(["FREEHOLD_PORT", "PATH", "FREEHOLD_API_KEY", "FREEHOLD_WEBHOK_TARGET", "FREEHOLD_QQQQ", "DATABASE_X"]),
      [
        "FREEHOLD_PORT is no setting; did you mean PORT?",
        "FREEHOLD_QQQQ is no setting; see: freehold settings",
        "FREEHOLD_WEBHOK_TARGET is no setting; did you mean FREEHOLD_WEBHOOK_TARGETS?"
      ]
    )
  })

  it.effect.each<readonly [name: string, value: string]>([
    ["PORT", "65536"],
    ["PORT", "eighty"],
    ["HOST", " "],
    ["DATABASE_URL", "mysql://user:hidden@db/x"],
    ["DATABASE_URL", "postgres://user:hid/den@db/x"],
    ["DATABASE_URL", "postgres://user:1/hidden@db/x"],
    ["DATABASE_URL", "postgres://user:1#hidden@db/x"],
    ["DATABASE_URL", "postgres://user:hidden@db,other/x"],
    ["DATABASE_URL", "postgres://user:50%hidden@db/x"],
    ["DATABASE_URL", "postgres://50%user:hidden@db/x"],
    ["DATABASE_URL", "postgres://user:hidden@db/50%x"],
    ["DATABASE_REPLICA_URL", "postgres://user:50%hidden@db,db2/x"],
    ["DATABASE_REPLICA_URL", "postgres://%zz:hidden@db,db2/x"],
    ["DATABASE_REPLICA_URL", "postgres://user:1/hidden@db2/x"],
    ["FREEHOLD_IMPORTER_URL", "postgres://user:50%hidden@db/x"],
    ["FREEHOLD_PUBLIC_URL", "https://api.example.com/v1"],
    ["FREEHOLD_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["FREEHOLD_WEBHOOK_TARGETS", "private"],
    ["FREEHOLD_WEBHOOK_RETRY_DELAYS", "30"],
    ["FREEHOLD_WEBHOOK_RETRY_DELAYS", Array(21).fill("1 second").join(",")],
    ["FREEHOLD_WEBHOOK_TIMEOUT", "ten seconds"],
    ["FREEHOLD_WEBHOOK_TIMEOUT", "0 seconds"],
    ["FREEHOLD_WEBHOOK_TIMEOUT", "25 days"],
    ["FREEHOLD_SOURCE_TIMEOUT", "1 millis"],
    ["FREEHOLD_KEEP_EVENTS", "36501 days"],
    ["FREEHOLD_FEED_DELAY", "-1 seconds"],
    ["FREEHOLD_RESEARCHER_URL", "research.example"],
    ["FREEHOLD_APP_URL", "https://:hidden@app.example"],
    ["FREEHOLD_RESEARCHER_SECRET", "short"],
    ["FREEHOLD_RESEARCHER_TIMEOUT", "an hour"],
    ["FREEHOLD_ENCRYPTION_KEY", "c2hvcnQ="],
    ["FREEHOLD_API_KEY", "is hidden"],
    ["FREEHOLD_ALLOWED_ORIGINS", "https://a.example,"],
    ["FREEHOLD_CORS_ORIGINS", "*"],
    ["OAUTH_ISSUER", "issuer"],
    ["OAUTH_ISSUER", "http://issuer.example"],
    ["LOG_LEVEL", "loud"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"]
  ])("names %s when it is '%s'", ([name, value]) =>
    Effect.gen(function*() {
      const fault = yield* Effect.flip(read({ [name]: value }))
      assert.isTrue(fault.message.startsWith(`${name} must be `), fault.message)
      assert.notInclude(fault.message, "\n")
      assert.notInclude(fault.message.replace("(hidden)", ""), "hidden")
    }))

  it.effect("takes what belongs together, or none of it", () =>
    Effect.gen(function*() {
      const url = "https://research.example/jobs"
      const secret = "s".repeat(32)
      const { message } = yield* Effect.flip(read({ FREEHOLD_RESEARCHER_URL: url }))
      assert.strictEqual(message, "FREEHOLD_RESEARCHER_SECRET must be set when FREEHOLD_RESEARCHER_URL is")
      yield* Effect.flip(read({ FREEHOLD_RESEARCHER_SECRET: secret }))
      const { researcher } = yield* read({ FREEHOLD_RESEARCHER_URL: url, FREEHOLD_RESEARCHER_SECRET: secret })
      assert.deepStrictEqual(Option.map(researcher, (each) => each.url), Option.some(url))
      const half = yield* Effect.flip(read({ FREEHOLD_DRAFTER_URL: url }))
      assert.strictEqual(half.message, "FREEHOLD_DRAFTER_MODEL must be set when FREEHOLD_DRAFTER_URL is")
      const { drafter } = yield* read({ FREEHOLD_DRAFTER_URL: url, FREEHOLD_DRAFTER_MODEL: "made-up-1" })
      assert.deepStrictEqual(Option.map(drafter, ({ model }) => model), Option.some("made-up-1"))
    }))
})
