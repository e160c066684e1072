/**
 * The page behind a sign-in link. The link's secret is in the fragment, which no server and no Referer sees; it is used up
 * only when somebody agrees, so that a program that looks at links cannot sign anybody in or out.
 */
import "../app/tokens.css"
import "./signin.css"

interface Told {
  readonly data?: { readonly member?: string; readonly organization?: string }
  readonly refusal?: { readonly message: string }
}

const part = <E extends HTMLElement>(id: string, kind: new() => E): E => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

const told = part("told", HTMLParagraphElement)
const agree = part("agree", HTMLButtonElement)
const how = part("how", HTMLParagraphElement)

const link = location.hash.slice(1)

const ask = async (path: string): Promise<Told> => {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ link })
    })
    return await response.json()
  } catch {
    return { refusal: { message: "The server cannot be reached; try again in a moment." } }
  }
}

const refuse = (message: string): void => {
  told.textContent = message
  agree.hidden = true
  how.hidden = false
}

/** Where the person was going; a path of this app alone. */
const destination = (): string => {
  const wanted = new URLSearchParams(location.search).get("to") ?? "/"
  return /^\/(?![/\\])/.test(wanted) ? wanted : "/"
}

agree.addEventListener("click", async () => {
  agree.disabled = true
  const { refusal } = await ask("/console/sign-in")
  if (refusal === undefined) location.replace(destination())
  else refuse(refusal.message)
})

if (link === "") {
  refuse("You are not signed in.")
} else {
  const { data, refusal } = await ask("/console/sign-in/look")
  if (refusal === undefined) {
    told.textContent = `${data?.organization}`
    agree.textContent = `Sign in as ${data?.member}`
    agree.hidden = false
    agree.focus()
  } else {
    refuse(refusal.message)
  }
}
