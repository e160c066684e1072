/**
 * What tells an assistant where its person signs in: the metadata of the protected resource (RFC 9728), and the challenge
 * of a 401 or 403 that points at it. decisions, section 11.
 */
import { ofPeople } from "@freehold/core/operation/Scope"

/** What is wrong with a request: it has no token, an invalid one, or one without the scope. RFC 6750, section 3.1. */
export type Lack = "token" | "valid token" | "scope"

const errors: Readonly<Record<Lack, string>> = {
  token: "",
  "valid token": `, error="invalid_token"`,
  scope: `, error="insufficient_scope"`
}

/** The MCP endpoint's URL; tokens are for it. `publicUrl` is the origin that clients dial. */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/v1/mcp`

/** Where the metadata is: the path of the resource inserted, and the root, where some clients look. */
export const metadataPaths = [
  "/.well-known/oauth-protected-resource/v1/mcp",
  "/.well-known/oauth-protected-resource"
] as const

export interface ProtectedResource {
  /** The metadata document, as JSON. */
  readonly document: string
  /** The WWW-Authenticate header of a refusal on the MCP endpoint. */
  readonly challenge: (lack: Lack) => string
}

export const make = (
  { issuer, publicUrl }: { readonly issuer: string; readonly publicUrl: string }
): ProtectedResource => ({
  document: JSON.stringify({
    resource: resourceOf(publicUrl),
    authorization_servers: [issuer],
    scopes_supported: ofPeople,
    bearer_methods_supported: ["header"],
    resource_documentation: `${publicUrl}/docs`,
    resource_name: "Freehold"
  }),
  challenge: (lack) =>
    `Bearer resource_metadata="${publicUrl}${metadataPaths[0]}", scope="${ofPeople.join(" ")}"${errors[lack]}`
})
