/** Where the app is: the address bar, read and changed. */
import { type AnchorHTMLAttributes, type ReactNode, useMemo, useSyncExternalStore } from "react"
import { type PageName, paths } from "./Paths.ts"

const listeners = new Set<() => void>()

const told = (): void => {
  for (const listener of listeners) listener()
}

window.addEventListener("popstate", told)

/** Goes to an address of the app; `replace` leaves no step back, and `mark` stays in `history.state` for whoever comes back to it. */
export const navigate = (
  to: string,
  { mark = null, replace = false }: { readonly mark?: string | null; readonly replace?: boolean } = {}
): void => {
  if (replace) history.replaceState(mark, "", to)
  else history.pushState(mark, "", to)
  told()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const address = (): string => location.pathname + location.search

export interface Place {
  /** null: there is no such page. */
  readonly page: PageName | null
  readonly parameters: Readonly<Record<string, string>>
  readonly search: URLSearchParams
  /** The same for as long as it is the same page of the same thing. */
  readonly name: string
}

const names: ReadonlyArray<PageName> = Object.keys(paths).filter((name): name is PageName => name !== "signIn")

/** null: it is no text that was encoded. */
const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

const parametersOf = (pattern: string, path: string): Readonly<Record<string, string>> | null => {
  const wanted = pattern.split("/")
  const given = path.split("/")
  if (wanted.length !== given.length) return null
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ""
    if (part.startsWith(":")) {
      const text = decoded(value)
      if (text === null) return null
      parameters[part.slice(1)] = text
    } else if (part !== value) return null
  }
  return parameters
}

/** The page at an address. */
export const placeOf = (address: string): Place => {
  const { pathname, searchParams: search } = new URL(address, "http://app")
  for (const page of names) {
    const parameters = parametersOf(paths[page], pathname)
    if (parameters !== null) return { page, parameters, search, name: `${page} ${JSON.stringify(parameters)}` }
  }
  return { page: null, parameters: {}, search, name: "none" }
}

export const usePlace = (): Place => {
  const at = useSyncExternalStore(subscribe, address)
  return useMemo(() => placeOf(at), [at])
}

/** The address of a page. */
export const addressOf = (
  page: PageName,
  parameters: Readonly<Record<string, string>> = {},
  search: URLSearchParams = new URLSearchParams()
): string => {
  const path = paths[page].replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""))
  const query = search.toString()
  return query === "" ? path : `${path}?${query}`
}

/** The parameters of an address with one of them changed; empty clears it. */
export const withParameter = (search: URLSearchParams, name: string, value: string): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (value === "") next.delete(name)
  else next.set(name, value)
  return next
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & {
  readonly to: string
  readonly children: ReactNode
}

/** A link inside the app: followed without loading anything anew, unless another tab or window is wanted. */
export const Link = ({ children, onClick, to, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={to}
    onClick={(event) => {
      onClick?.(event)
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
      if (!plain || event.defaultPrevented) return
      event.preventDefault()
      navigate(to)
    }}
  >
    {children}
  </a>
)
