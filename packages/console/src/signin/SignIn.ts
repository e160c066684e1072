/**
 * Where people sign in: by the operator's authorization server, where there is one, or by a link. The link's secret is in the fragment, which no server and no Referer sees; it is used up
 * only when somebody agrees, so that a program that looks at links cannot sign anybody in or out.
 */
import type { IssuerRefusal } from "@freehold/core/access/AppSignIn"
import "../app/tokens.css"
import { operatorPaths, operatorSignIn } from "../operator/OperatorPaths.ts"
import { onNews } from "../service/Tabs.ts"
import { isOwnPath } from "../session/OwnPath.ts"
import "./signin.css"

interface Told {
  readonly data?: {
    /** Of a link, by name; of a session, whoever has it. */
    readonly member?: string | { readonly name: string }
    readonly organization?: unknown
    readonly issuer?: string | null
    readonly operator?: string
    /** Of the operator's session. */
    readonly name?: string
  }
  readonly refusal?: {
    /** null: no answer came that tells anything. */
    readonly code: string | null
    readonly message: string
  }
}

const part = <E extends HTMLElement>(id: string, kind: new() => E): E => {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

part("late", HTMLParagraphElement).remove()
const told = part("told", HTMLParagraphElement)
const agree = part("agree", HTMLButtonElement)
const issuer = part("issuer", HTMLAnchorElement)
const how = part("how", HTMLParagraphElement)

/** What the authorization server's sign-in led to, other than the app. */
const refusals: Readonly<Record<IssuerRefusal["_tag"], string>> = {
  SIGN_IN_ENDED: "This sign-in began in another browser or more than 10 minutes ago, or has ended before. Begin anew.",
  SIGN_IN_DECLINED: "Your sign-in was not confirmed. Begin anew.",
  IDENTITY_UNRESOLVED: "The sign-in cannot be asked who you are at the moment. Try again in a moment.",
  ADDRESS_UNCONFIRMED: "The sign-in has not confirmed an email address of yours, so nobody can tell who you are here. "
    + "Confirm your address there, or ask whoever runs it, and begin anew.",
  NOT_A_MEMBER: "You are signed in, but no member of an organization here. An admin of yours can add you, "
    + "with the address that you signed in with.",
  ORG_SUSPENDED: "Your organization is suspended. Ask whoever runs this service.",
  ORG_SUSPENSION_UNAVAILABLE: "Your organization cannot be looked up at the moment. Try again in a moment.",
  ACCOUNT_CLOSED: "Your organization's account is closed. Ask whoever runs this service.",
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: "Your organization cannot be looked up at the moment. Try again in a moment.",
  TEMPORARILY_UNAVAILABLE: "The service is busy. Try again in a moment."
}

const isKnown = (code: string): code is IssuerRefusal["_tag"] => Object.hasOwn(refusals, code)

/** One of the operator's people signs in, not a member. */
const isOperator = location.pathname === operatorSignIn

const door = isOperator ? "/console/operator/sign-in" : "/console/sign-in"

const link = location.hash.slice(1)
const query = new URLSearchParams(location.search)

const unanswered: Told = {
  refusal: { code: null, message: "The server cannot be reached; try again in a moment." }
}

/** What says nothing of a link, which can be used once it has passed. */
const passing: ReadonlySet<string | null> = new Set([
  null,
  "rate_limited",
  "rate_limit_unavailable",
  "TEMPORARILY_UNAVAILABLE"
])

const ask = async (path: string, input: object = { link }): Promise<Told> => {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input)
    })
    const answer: Told = await response.json()
    return answer.data === undefined && answer.refusal === undefined ? unanswered : answer
  } catch {
    return unanswered
  }
}

const command = (text: string): HTMLElement => {
  const element = document.createElement("code")
  element.textContent = text
  return element
}

/** Who is signed in here already; null: nobody. */
const signedIn = async (): Promise<string | null> => {
  if (isOperator) return (await ask("/console/operator/operator_get_session", {})).data?.name ?? null
  const { data } = await ask("/console/app_get_session", {})
  return typeof data?.member === "object" ? data.member.name : null
}

/** Offers to go on as whoever is signed in. */
const offerToGoOn = (message: string): void => {
  told.textContent = message
  agree.hidden = true
  how.hidden = true
  issuer.hidden = false
  issuer.textContent = "Go on"
  issuer.href = destination()
}

/** Offers the button. `message`: whom it is about, or why it has to be pressed again. */
const offer = (message: string): void => {
  told.textContent = message
  agree.disabled = false
  agree.hidden = false
  agree.focus()
}

/** Says why nobody is signed in, and what can be done. */
const refuse = async (message: string): Promise<void> => {
  const { data } = isOperator ? {} : await ask("/console/sign-in/ways")
  const host = data?.issuer ?? null
  told.textContent = message
  agree.hidden = true
  issuer.hidden = host === null
  how.hidden = host !== null
  if (isOperator) how.replaceChildren("Make a link where Freehold runs: ", command("freehold operator link"))
  if (host === null) return
  issuer.textContent = `Sign in with ${host}`
  issuer.href = `/sign-in/issuer?${new URLSearchParams({ to: destination() })}`
}

/** What this tab remembers of where the person was going: neither a link nor the authorization server brings it back. */
const remembered = isOperator ? "freehold operator to" : "freehold to"

/** Where the person was going; a path of this app alone. */
const destination = (): string => {
  const wanted = query.get("to") ?? sessionStorage.getItem(remembered) ?? (isOperator ? operatorPaths.start : "/")
  return isOwnPath(wanted) ? wanted : "/"
}

const refused = query.get("refused")
const isFresh = query.get("to") === null && refused === null && link === ""
if (isFresh) sessionStorage.removeItem(remembered)
else sessionStorage.setItem(remembered, destination())

const goOn = (): void => {
  const to = destination()
  sessionStorage.removeItem(remembered)
  location.replace(to)
}

const signIn = async (): Promise<void> => {
  agree.disabled = true
  const { refusal } = await ask(door)
  if (refusal === undefined) goOn()
  else if (passing.has(refusal.code)) offer(refusal.message)
  else await refuse(refusal.message)
}

/** Another link in the same tab changes the fragment alone, and no browser loads the page for that. */
addEventListener("hashchange", () => location.reload())

/** Whoever goes back here reads who is signed in by now, and not what was so when they left. */
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})

/** Signed in again in another tab: this one goes on where it was. */
const goOnWithOthers = (): void => {
  onNews((news) => {
    if (news.kind === (isOperator ? "operator" : "session") && news.of !== null) goOn()
  })
}

/** Why there is nobody: their session has ended, or they did not sign in. */
const nobody = query.has("ended")
  ? "Your session has ended."
  : isOperator
  ? "You are not signed in to the operator's area."
  : "You are not signed in."

if (refused !== null) {
  await refuse(isKnown(refused) ? refusals[refused] : refusals.SIGN_IN_DECLINED)
} else if (link === "") {
  const name = await signedIn()
  if (name === null) {
    goOnWithOthers()
    await refuse(nobody)
  } else offerToGoOn(`You are signed in as ${name}.`)
} else {
  const { data, refusal } = await ask(`${door}/look`)
  const isPassing = refusal !== undefined && passing.has(refusal.code)
  const name = refusal === undefined || isPassing ? null : await signedIn()
  agree.addEventListener("click", isPassing ? () => location.reload() : signIn)
  if (refusal === undefined) {
    agree.textContent = `Sign in as ${isOperator ? data?.operator : data?.member}`
    offer(isOperator ? "The operator's area" : `${data?.organization}`)
  } else if (isPassing) {
    agree.textContent = "Try again"
    offer(refusal.message)
  } else if (name === null) {
    await refuse(refusal.message)
  } else {
    offerToGoOn(`${refusal.message} You are signed in as ${name}.`)
  }
}
