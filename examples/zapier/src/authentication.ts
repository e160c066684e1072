/** A connection: where the service is, and a key of the organization. */
import type { Authentication, BeforeRequestMiddleware, Bundle, ZObject } from "zapier-platform-core"

/** The key goes along with every request. */
export const withKey: BeforeRequestMiddleware = (request, _z, bundle) => ({
  ...request,
  headers: { ...request.headers, Authorization: `Bearer ${bundle.authData["api_key"]}` }
})

/** An address below the connection's API root. */
export const addressOf = (bundle: Bundle, path: string): string =>
  `${bundle.authData["api_root"]?.replace(/\/+$/, "")}${path}`

/** Asks who the key is: GET /me answers for any live key, whatever its scopes. */
export const tryConnection = async (z: ZObject, bundle: Bundle) =>
  (await z.request({ url: addressOf(bundle, "/me") })).data.data

export const authentication: Authentication = {
  type: "custom",
  fields: [
    {
      key: "api_root",
      label: "API address",
      type: "string",
      required: true,
      helpText: "Where the service answers, such as https://leads.example/v1."
    },
    {
      key: "api_key",
      label: "API key",
      type: "password",
      required: true,
      helpText: "A key with the scope events:subscribe; to report outcomes, with pipeline:write too."
    }
  ],
  test: tryConnection,
  connectionLabel: "{{org_id}}: {{label}}"
}
