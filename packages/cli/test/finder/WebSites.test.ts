/** Sites on loopback, as they are and as they misbehave. All is made up. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as FinderCacheMemory from "@freehold/core/memory/research/FinderCacheMemory"
import { SiteReader } from "@freehold/core/research/SiteReader"
import { AddressGuard } from "@freehold/webhook-worker/AddressGuard"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { HostResolver } from "@freehold/webhook-worker/HostResolver"
import { Duration, Effect, Layer } from "effect"
import type { ServerResponse } from "node:http"
import * as WebSites from "../../src/finder/WebSites.ts"
import { served } from "../Loopback.ts"

const serving = (answer: (path: string, response: ServerResponse, host: string) => void) => {
  const asked: Array<string> = []
  return Effect.map(
    served((request, response) => {
      asked.push(request.url ?? "")
      answer(request.url ?? "", response, request.headers.host ?? "")
    }),
    ({ origin }) => ({ asked, origin })
  )
}

const html = (response: ServerResponse, text: string, status = 200) =>
  response.writeHead(status, { "content-type": "text/html" }).end(text)

/** Every name leads to loopback. */
const guard = AddressGuard.layerNoDeps({ policy: "any" }).pipe(
  Layer.provide(Layer.succeed(HostResolver, HostResolver.of({ resolve: () => Effect.succeed(["127.0.0.1"]) })))
)

const reader = (patience = Duration.seconds(20)) =>
  WebSites.layer({ agent: "Freehold", pause: Duration.zero, patience, keptFor: Duration.days(7) }).pipe(
    Layer.provide([
      GuardedGet.layerNoDeps({ patience, userAgent: "Freehold/test" }).pipe(Layer.provide(guard)),
      FinderCacheMemory.layer.pipe(Layer.provide(MemoryState.layer))
    ])
  )

const read = (site: string) => SiteReader.use((sites) => sites.read(site))

describe("WebSites", () => {
  it.live("reads nothing of a site whose robots.txt cannot be read, until it can", () =>
    Effect.gen(function*() {
      let broken = true
      const { asked, origin } = yield* serving((path, response) =>
        html(response, path === "/robots.txt" ? "" : "Our team", broken ? 503 : 200)
      )
      const [before, after] = yield* Effect.gen(function*() {
        const first = yield* read(origin)
        broken = false
        return [first, yield* read(origin)] as const
      }).pipe(Effect.provide(reader(), { local: true }))
      assert.deepStrictEqual([before.pages, before.trouble?.includes("503")], [[], true])
      assert.deepStrictEqual([after.pages.map(({ text }) => text), after.trouble], [["Our team"], null])
      assert.deepStrictEqual(asked, ["/robots.txt", "/robots.txt", "/"])
    }))

  it.live("is led to no other host, and to nothing that robots.txt forbids", () =>
    Effect.gen(function*() {
      const other = yield* serving((_, response) => html(response, "Elsewhere"))
      const { asked, origin } = yield* serving((path, response) => {
        const to: Record<string, string> = { "/": `${other.origin}/team`, "/own": "/private", "/moved": "/team" }
        if (path === "/robots.txt") response.writeHead(200).end("User-agent: *\nDisallow: /private")
        else if (to[path] !== undefined) response.writeHead(302, { location: to[path] }).end()
        else html(response, "Our team")
      })
      const readings = yield* Effect.forEach(["/", "/own", "/moved"], (path) => read(`${origin}${path}`)).pipe(
        Effect.provide(reader(), { local: true })
      )
      assert.deepStrictEqual(readings.map(({ pages }) => pages.map(({ address }) => address)), [
        [],
        [],
        [`${origin}/team`]
      ])
      assert.deepStrictEqual(readings.map(({ trouble }) => trouble), [null, null, null])
      assert.deepStrictEqual([other.asked, asked.includes("/private")], [[], false])
    }))

  it.live("reads of each host what its own robots.txt allows", () =>
    Effect.gen(function*() {
      const { asked, origin } = yield* serving((path, response, host) => {
        if (!host.startsWith("www.")) {
          if (path === "/robots.txt") response.writeHead(404).end()
          else response.writeHead(302, { location: `http://www.${host}${path}` }).end()
        } else if (path === "/robots.txt") response.writeHead(200).end("User-agent: *\nDisallow: /team/private")
        else html(response, "<a href=/team>Our team</a> <a href=/team/private>Our people</a>")
      })
      const host = `birch.example:${new URL(origin).port}`
      const readings = yield* Effect.forEach(["/", "/team/private"], (path) => read(`http://${host}${path}`)).pipe(
        Effect.provide(reader(), { local: true })
      )
      assert.deepStrictEqual(readings.map(({ pages }) => pages.map(({ address }) => address)), [
        [`http://www.${host}/`, `http://www.${host}/team`],
        []
      ])
      assert.deepStrictEqual(readings.map(({ trouble }) => trouble), [null, null])
      assert.deepStrictEqual(asked, ["/robots.txt", "/", "/robots.txt", "/", "/team", "/team/private"])
    }))

  it.live("gives up a site that leads in a circle", () =>
    Effect.gen(function*() {
      const { asked, origin } = yield* serving((path, response, host) => {
        const other = host.startsWith("www.") ? host.slice(4) : `www.${host}`
        if (path === "/robots.txt") response.writeHead(404).end()
        else response.writeHead(302, { location: `http://${other}/` }).end()
      })
      const { pages, trouble } = yield* read(`http://birch.example:${new URL(origin).port}`).pipe(
        Effect.provide(reader(), { local: true })
      )
      assert.deepStrictEqual([pages, trouble?.includes("circle")], [[], true])
      assert.isAtMost(asked.length, 6)
    }))

  it.live("asks once for what several read at the same time", () =>
    Effect.gen(function*() {
      const { asked, origin } = yield* serving((path, response) =>
        html(response, path === "/" ? "<a href=/team>Our team</a>" : "", path === "/robots.txt" ? 404 : 200)
      )
      const readings = yield* Effect.all([read(origin), read(origin), read(origin)], { concurrency: "unbounded" }).pipe(
        Effect.provide(reader(), { local: true })
      )
      assert.deepStrictEqual(readings.map(({ pages }) => pages.length), [2, 2, 2])
      assert.deepStrictEqual(asked, ["/robots.txt", "/", "/team"])
    }))

  it.live("remembers what is there and what is not, and reads six pages at most", () =>
    Effect.gen(function*() {
      const links = Array.from({ length: 30 }, (_, n) => `<a href="/team/${n}">Our team</a>`).join("")
      const { asked, origin } = yield* serving((path, response) => {
        if (path === "/team/0") response.writeHead(200, { "content-type": "application/pdf" }).end("Our team")
        else html(response, `${links}${path}`, path === "/team/1" || path === "/robots.txt" ? 404 : 200)
      })
      const twice = yield* Effect.all([read(origin), read(origin)]).pipe(Effect.provide(reader(), { local: true }))
      assert.deepStrictEqual(twice.map(({ pages }) => pages.length), [4, 4])
      assert.deepStrictEqual(asked, ["/robots.txt", "/", ...[0, 1, 2, 3, 4].map((n) => `/team/${n}`)])
    }))

  it.live("cuts a page that never ends, and gives up one that never begins", () =>
    Effect.gen(function*() {
      const endless = yield* serving((path, response) => {
        if (path === "/robots.txt") return void response.writeHead(404).end()
        response.writeHead(200, { "content-type": "text/html; charset=latin1" })
        const more = () =>
          void response.write(Buffer.alloc(65_536, "caf\u00e9 ", "latin1"), (fault) => fault ? undefined : more())
        more()
      })
      const { pages } = yield* read(endless.origin).pipe(Effect.provide(reader(), { local: true }))
      assert.isTrue(pages[0]?.text.startsWith("caf\u00e9 caf\u00e9"))
      assert.isAtMost(pages[0]?.text.length ?? 0, 12_000)
      const silent = yield* serving(() => {})
      const { trouble } = yield* read(silent.origin).pipe(
        Effect.provide(reader(Duration.millis(100)), { local: true })
      )
      assert.isNotNull(trouble)
    }))
})
