/** How values of the service are written: numbers, days, and words that have underscores in them. */

export const number = (value: number): string => value.toLocaleString("en-US")

export const plural = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`

export const dollars = (value: number): string => `$${number(value)}`

/** `property_manager` as `Property manager`, `lead.qualified` as `Lead qualified`: what no page knows is shown as well. */
export const word = (value: string): string => {
  const text = value.replace(/[_.]/g, " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" })

/** The day of a moment, in UTC. */
export const dayOf = (iso: string): string => day.format(new Date(iso))

/** What is there of several parts, with something between. */
export const joined = (parts: ReadonlyArray<string | null>, between = ", "): string =>
  parts.filter((part) => part !== null && part !== "").join(between)
