import { assert, describe, it } from "@effect/vitest"
import { SchemaAST } from "effect"
import { routes } from "../src/Routes.ts"

describe("The table of routes", () => {
  for (const { method, operation, parameters, path, query } of routes) {
    it(`${method} ${path} fills only arguments that its operation has, and every parameter of its path`, () => {
      const { ast } = operation.input
      const keys = SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => name) : []
      assert.includeMembers(keys, [...Object.values(parameters), ...query])
      const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      assert.deepStrictEqual(named, Object.keys(parameters))
    })
  }

  it("has each method of a path once", () => {
    const lines = routes.map(({ method, path }) => `${method} ${path}`)
    assert.lengthOf(new Set(lines), lines.length)
  })
})
