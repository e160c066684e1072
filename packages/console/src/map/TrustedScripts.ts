/**
 * The one policy that the pages allow: an address of this origin may become a script. The map's worker is made from one;
 * whatever else would become code is refused by the browser.
 */

interface Policies {
  createPolicy(name: string, rules: { readonly createScriptURL: (address: string) => string }): unknown
}

const hasPolicies = (scope: object): scope is { readonly trustedTypes: Policies } => "trustedTypes" in scope

export const allowOwnScripts = (): void => {
  const scope: object = globalThis
  if (!hasPolicies(scope)) return
  scope.trustedTypes.createPolicy("default", {
    createScriptURL: (address) => {
      if (new URL(address, location.href).origin !== location.origin) throw new TypeError("a script of another origin")
      return address
    }
  })
}
