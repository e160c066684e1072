/** Who calls, for what is asked about without a host. */
import type { KeyCaller } from "../access/Caller.ts"
import type { Organization } from "../organization/Organization.ts"

/** A key of the organization, with whatever scope it takes. */
export const keyOf = (organization: Organization): KeyCaller => ({
  kind: "key",
  territory: null,
  credentialId: "key",
  keyName: "sample",
  label: "sample fhk_kkkkkkkk",
  scopes: ["mcp", "data:read", "property:read", "leads:read_single"],
  organization,
  requestId: "request"
})
