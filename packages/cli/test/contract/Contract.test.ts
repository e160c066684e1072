/** The contract's document: valid, complete, and the one that is checked in. */
import { routes } from "@freehold/http-host/Routes"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Predicate } from "effect"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { errors, text } from "../../src/Contract.ts"
import { checker } from "./DocumentChecker.ts"

const checkedIn = new URL("../../../../docs/openapi.json", import.meta.url)

const checkedInErrors = new URL("../../../../docs/errors.md", import.meta.url)

type Told = ReturnType<typeof JSON.parse>

const document: Told = JSON.parse(text())

const endpoints = routes.map(({ method, path }) => {
  const template = path.replace(/:(\w+)/g, "{$1}")
  const verb = method.toLowerCase()
  return { name: `${method} ${template}`, template, verb, told: document.paths[template]?.[verb] }
})

describe("The contract's document", () => {
  it("is the one that is checked in; if not: pnpm openapi", () => {
    assert.isTrue(text() === readFileSync(checkedIn, "utf8"), "docs/openapi.json differs; run: pnpm openapi")
  })

  it("has its codes in docs/errors.md; if not: pnpm openapi", () => {
    assert.isTrue(errors() === readFileSync(checkedInErrors, "utf8"), "docs/errors.md differs; run: pnpm openapi")
  })

  it("is valid OpenAPI 3.1", async () => {
    const { errors: faults, valid } = await new Validator().validate(JSON.parse(text()))
    assert.isTrue(valid, JSON.stringify(faults))
  })

  it("refers to nothing that it does not have, and has nothing that nobody refers to", () => {
    const references = new Set([...text().matchAll(/"\$ref": "([^"]+)"/g)].map(([, reference = ""]) => reference))
    const components = ["schemas", "responses", "headers", "examples"].flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`)
    )
    assert.sameMembers([...references], components)
  })

  it("marks the endpoints that the specification does not have", () => {
    assert.sameMembers(endpoints.flatMap(({ name, told }) => told["x-extension"] === true ? [name] : []), [
      "GET /coverage",
      "GET /requests",
      "GET /credits/ledger",
      "POST /access/check",
      "POST /properties/resolve",
      "GET /changes",
      "GET /research/runs",
      "GET /webhooks",
      "GET /webhooks/sample",
      "GET /webhooks/{id}/deliveries",
      "POST /webhooks/{id}/test",
      "POST /webhooks/{id}/settings",
      "POST /webhooks/{id}/enable",
      "POST /webhooks/{id}/disable",
      "POST /webhooks/{id}/rotate-secret",
      "POST /webhooks/{id}/resend-failed",
      "GET /webhooks/deliveries/{event_id}",
      "POST /webhooks/deliveries/{event_id}/resend"
    ])
  })

  it("has an example of every refusal", () => {
    const missing = Object.entries<Told>(document.components.schemas).flatMap(([name, schema]) =>
      schema.properties?.success?.const === false && !Object.hasOwn(document.components.examples, name) ? [name] : []
    )
    // These have no code, and so no example of their own.
    assert.deepStrictEqual(missing.filter((name) => !["Failure", "Fault"].includes(name)), [])
  })

  it("has examples of refusals that fit", () => {
    const { faultsAt } = checker(document)
    for (const [code, { value }] of Object.entries<Told>(document.components.examples)) {
      assert.deepStrictEqual(faultsAt(["components", "schemas", code], value), [], code)
    }
  })

  for (const { name, template, told, verb } of endpoints) {
    it(`${name} says who may call it, and shows a call and its answer that fit`, () => {
      const { faultsAt, resolve } = checker(document)
      assert.isDefined(told)
      assert.hasAllKeys(told.security[0], ["apiKey"])
      assert.include(["team", "enterprise"], told["x-plan"])
      const place = ["paths", template, verb]
      const ok = [...place, "responses", "200", "content", "application/json"]
      const answer = resolve(ok).value
      assert.isTrue(Predicate.isObject(answer["example"]), "no example of the answer")
      assert.deepStrictEqual(faultsAt([...ok, "schema"], answer["example"]), [])
      for (const [index, parameter] of Object.entries<Told>(told.parameters)) {
        if (parameter.required) assert.isDefined(parameter.example, `no example of ${parameter.name}`)
        if (parameter.example === undefined) continue
        assert.deepStrictEqual(faultsAt([...place, "parameters", index, "schema"], parameter.example), [])
      }
      if (told.requestBody !== undefined) {
        const body = [...place, "requestBody", "content", "application/json"]
        assert.isDefined(resolve(body).value["example"], "no example of the body")
        assert.deepStrictEqual(faultsAt([...body, "schema"], resolve(body).value["example"]), [])
      }
    })
  }
})
