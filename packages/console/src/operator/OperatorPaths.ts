/** The paths of the operator's area, which is a document of its own: a part that begins with a colon stands for any. */
export const operatorPaths = {
  start: "/operator",
  part: "/operator/:part",
  organization: "/operator/organizations/:id",
  endpoint: "/operator/webhooks/:id"
} as const

/** Where the operator's people sign in; the server answers it with the page by which members do. */
export const operatorSignIn = "/operator/sign-in"

export const organizationAddress = (orgId: string): string =>
  operatorPaths.organization.replace(":id", encodeURIComponent(orgId))

export const endpointAddress = (id: string): string => operatorPaths.endpoint.replace(":id", id)

export const partAddress = (part: string): string => operatorPaths.part.replace(":part", part)
