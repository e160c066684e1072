/**
 * Whether a request that changes something comes from a page of this origin: what keeps another site from riding on the
 * cookie of whoever is signed in, without a token in any form.
 *
 * Browsers say where a request was made (`Sec-Fetch-Site`), and no page can say otherwise; older ones send `Origin` alone.
 * What says neither is no browser, carries no cookie of anyone else's, and is refused all the same.
 */

/** Of headers with names in lower case. `origin`: the one that clients dial. */
export const isSameOrigin = (headers: Readonly<Record<string, string | undefined>>, origin: string): boolean => {
  const site = headers["sec-fetch-site"]
  return site === undefined ? headers["origin"] === origin : site === "same-origin"
}
