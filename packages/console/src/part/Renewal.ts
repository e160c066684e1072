/**
 * Why a part of the app could not be loaded: its files have their content in their names, and those of a version go with it.
 *
 * The document that is served now names the first file of its version. Where that is another than this one's, the app was renewed.
 */

/** `renewed`: another version is served; `away`: none is reached; `whole`: it is this one, and something else went wrong. */
export type Standing = "renewed" | "away" | "whole"

const entryIn = (html: string): string | null => /<script type="module"[^>]*? src="([^"]+)"/.exec(html)?.[1] ?? null

const patienceMillis = 10_000

export const standingOfFiles = async (): Promise<Standing> => {
  try {
    const answer = await fetch(location.pathname, { cache: "no-cache", signal: AbortSignal.timeout(patienceMillis) })
    const entry = entryIn(await answer.text())
    if (entry === null) return "away"
    return document.querySelector(`script[src="${CSS.escape(entry)}"]`) === null ? "renewed" : "whole"
  } catch {
    return "away"
  }
}

const key = "freehold loaded anew"

/** While an installation is being renewed either version may answer: a tab goes back and forth between them no faster than so. */
const restMillis = 60_000

/** Loads the page anew, in the version of now, where the tab did not do so just before. */
export const loadAnew = (): boolean => {
  const last = Number(sessionStorage.getItem(key) ?? 0)
  if (Date.now() - last < restMillis) return false
  sessionStorage.setItem(key, String(Date.now()))
  location.reload()
  return true
}
