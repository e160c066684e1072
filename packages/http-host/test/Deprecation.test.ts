/** An endpoint that is announced to go: the host over a table in which GET /events is. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Deprecation } from "../src/Deprecation.ts"
import * as OpenApiDocument from "../src/openapi/OpenApiDocument.ts"
import * as RestHost from "../src/RestHost.ts"
import { routes } from "../src/Routes.ts"
import { bearer, layerWith, TestHost } from "./TestHost.ts"

const deprecation: Deprecation = {
  since: "2026-10-01",
  ends: "2027-10-01",
  notice: "https://freehold.example/notices/events"
}

const table = routes.map((route) => route.path === "/events" ? { ...route, deprecation } : route)

const announced = {
  deprecation: "@1790812800",
  sunset: "Fri, 01 Oct 2027 00:00:00 GMT",
  link: "<https://freehold.example/notices/events>; rel=\"deprecation\""
}

const noticeOf = (path: string, headers?: Record<string, string>) =>
  TestHost.use(({ call }) => call("GET", path, headers === undefined ? {} : { headers })).pipe(
    Effect.map(({ headers, status }) => ({
      status,
      notice: {
        deprecation: headers.get("deprecation"),
        sunset: headers.get("sunset"),
        link: headers.get("link")
      }
    }))
  )

const none = { deprecation: null, sunset: null, link: null }

layer(layerWith(RestHost.layerOf(table)), { excludeTestServices: true })("an endpoint that goes", (it) => {
  it.effect("announces it on every answer, refusals included, and no other endpoint does", () =>
    Effect.gen(function*() {
      const headers = bearer("rich")
      assert.deepStrictEqual(yield* noticeOf("/v1/events", headers), { status: 200, notice: announced })
      assert.deepStrictEqual(yield* noticeOf("/v1/events?days=0", headers), {
        status: 400,
        notice: { ...announced, link: `</docs/errors/INVALID_ARGUMENTS>; rel="help", ${announced.link}` }
      })
      assert.deepStrictEqual(yield* noticeOf("/v1/events"), {
        status: 401,
        notice: { ...announced, link: `</docs/errors/UNAUTHENTICATED>; rel="help", ${announced.link}` }
      })
      assert.deepStrictEqual(yield* noticeOf("/v1/me", headers), { status: 200, notice: none })
    }))
})

it("is marked in the contract, and no other endpoint is", () => {
  const { paths } = OpenApiDocument.make({ tools: new Set(), table })
  const marked = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      JSON.stringify(operation).includes("\"deprecated\":true") ? [`${method} ${path}`] : []
    )
  )
  assert.deepStrictEqual(marked, ["get /events"])
  assert.include(JSON.stringify(paths["/events"]), "#/components/headers/Sunset")
})

it("is gone twelve months after the notice at the earliest", () => {
  const early = routes.flatMap(({ deprecation, path }) => {
    if (deprecation === null) return []
    const promised = new Date(deprecation.since)
    promised.setUTCMonth(promised.getUTCMonth() + 12)
    return new Date(deprecation.ends) < promised ? [path] : []
  })
  assert.deepStrictEqual(early, [])
})
