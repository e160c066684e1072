import { assert, it } from "@effect/vitest"
import { differences } from "@freehold/core/provision/Difference"

it.each(["constructor", "toString", "__proto__", "ci"])(
  "tells a key called %s as a new one, or as one that went",
  (name) => {
    const key = { name, scopes: ["data:read"] }
    const field = `keys.${name}`
    assert.deepStrictEqual(differences({ keys: [] }, { keys: [key] }), [{ field, before: null, after: key }])
    assert.deepStrictEqual(differences({ keys: [key] }, { keys: [] }), [{ field, before: key, after: null }])
  }
)
