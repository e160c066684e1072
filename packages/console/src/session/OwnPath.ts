/** Paths of the app's own origin, where a person goes on after a sign-in: by the rule of the server (`IssuerSignIn`). */
export const isOwnPath = (text: string): boolean => /^\/(?![/\\])[\x21-\x7e]*$/.test(text)
