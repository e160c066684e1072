import { assert, describe, it } from "@effect/vitest"
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import { sameTargetKey, vetUrl } from "@freehold/core/webhook/WebhookTarget"
import { Result } from "effect"

const ruleOf = (url: string, policy: TargetPolicy) =>
  Result.match(vetUrl(url, policy), { onFailure: ({ rule }) => rule, onSuccess: () => "accepted" })

describe("vetUrl under the public policy", () => {
  it.each([
    "https://receiver.example/hook",
    "https://receiver.example:8443/hook?x=1",
    "https://does-not-resolve.invalid/",
    "https://8.8.8.8/hook",
    "https://[2606:4700:4700::1111]/hook",
    "https://mylocalhost.example/",
    "https://notlocal/",
    "https://10.0.0.1.example/"
  ])("accepts %s", (url) => {
    assert.strictEqual(ruleOf(url, "public"), "accepted")
  })

  it.each([
    ["absolute_url", [
      "",
      "receiver.example",
      "/hook",
      "https://",
      "https://exa mple/",
      "https://1.2.3.4.5/",
      "https://./"
    ]],
    ["scheme", ["http://receiver.example/", "ftp://receiver.example/", "file:///etc/passwd", "javascript:alert(1)"]],
    ["credentials", ["https://user@receiver.example/", "https://:pass@receiver.example/", "https://u:p@8.8.8.8/"]],
    ["port", ["https://receiver.example:0/", "https://8.8.8.8:0/"]],
    ["local_name", [
      "https://localhost/",
      "https://LOCALHOST./",
      "https://app.localhost:3000/",
      "https://printer.local/",
      "https://metadata.google.internal/",
      "https://metadata.google.internal./",
      "https://%6cocalhost/",
      "https://ｌｏｃａｌhost/",
      "https://internal/"
    ]],
    ["private_address", [
      "https://127.0.0.1/",
      "https://127.1/",
      "https://127.0.0.1./",
      "https://2130706433/",
      "https://0x7f.0.0.1/",
      "https://0177.0.0.1/",
      "https://１２７.0.0.1/",
      "https://0/",
      "https://10.1.2.3:8443/",
      "https://169.254.169.254/latest/meta-data",
      "https://168.63.129.16/",
      "https://[::1]/",
      "https://[::]/",
      "https://[fd00::1]/",
      "https://[fe80::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[64:ff9b::127.0.0.1]/",
      "https://[2002:7f00:1::]/",
      "https://[4000::1]/"
    ]]
  ])("refuses by the rule %s", (rule, urls) => {
    assert.deepStrictEqual(urls.map((url) => [url, ruleOf(url, "public")]), urls.map((url) => [url, rule]))
  })

  it("says in a sentence which rule was broken", () => {
    const refusal = Result.getFailure(vetUrl("https://printer.local/", "public"))
    assert.propertyVal(
      refusal._tag === "Some" ? refusal.value : {},
      "message",
      "The URL must not name a local host (localhost, .local or .internal)."
    )
  })
})

describe("vetUrl under the policy for development", () => {
  it.each(["http://127.0.0.1:3000/hook", "http://localhost/", "https://[::1]:8443/", "http://receiver.local/"])(
    "accepts %s",
    (url) => {
      assert.strictEqual(ruleOf(url, "any"), "accepted")
    }
  )

  it("still refuses other schemes, credentials and port 0", () => {
    assert.deepStrictEqual(
      ["ftp://localhost/", "http://user@localhost/", "http://localhost:0/"].map((url) => ruleOf(url, "any")),
      ["scheme", "credentials", "port"]
    )
  })
})

describe("a vetted target", () => {
  it("is taken apart for the sender", () => {
    assert.deepStrictEqual(
      Result.getOrThrow(vetUrl("HTTPS://Receiver.Example.:443/a%20b?c=d#fragment", "public")),
      {
        href: "https://receiver.example/a%20b?c=d",
        secure: true,
        hostname: "receiver.example",
        isAddress: false,
        port: 443,
        path: "/a%20b?c=d"
      }
    )
    const literal = Result.getOrThrow(vetUrl("http://[::1]:8080", "any"))
    assert.deepStrictEqual([literal.hostname, literal.isAddress, literal.port, literal.path], ["::1", true, 8080, "/"])
  })
})

describe("sameTargetKey", () => {
  it.each([
    "https://RECEIVER.example/Hook?a=B",
    "https://receiver.example:443/Hook?a=B",
    "https://receiver.example./Hook?a=B",
    "https://receiver.example/Hook?a=B#part",
    "  https://receiver.example/x/../Hook?a=B"
  ])("knows %s as the same target", (url) => {
    assert.strictEqual(sameTargetKey(url), sameTargetKey("https://receiver.example/Hook?a=B"))
  })

  it.each([
    "https://receiver.example/hook?a=B",
    "https://receiver.example/Hook/?a=B",
    "https://receiver.example/Hook",
    "https://receiver.example:8443/Hook?a=B",
    "http://receiver.example/Hook?a=B",
    "https://www.receiver.example/Hook?a=B"
  ])("keeps %s apart", (url) => {
    assert.notStrictEqual(sameTargetKey(url), sameTargetKey("https://receiver.example/Hook?a=B"))
  })

  it("takes text that is no URL for its own key", () => {
    assert.strictEqual(sameTargetKey("no url"), "no url")
  })
})
