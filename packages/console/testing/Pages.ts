/** Where each page of the app is to be seen in the demonstration; the compiler asks for those of a new page. */
import type { Page } from "playwright-core"
import type { PageName } from "../src/app/Paths.ts"

/** Addresses, or the page in whose table the first link leads there. */
type Where = ReadonlyArray<string> | { readonly firstOf: string }

const places: Readonly<Record<PageName, Where>> = {
  search: ["/?countyFips=53903&categories=Office"],
  property: ["/properties/53903-DEMO00001", "/properties/53901-DEMO00001"],
  people: ["/people", "/people?q=heron"],
  person: { firstOf: "/people" },
  firms: ["/firms"],
  firm: { firstOf: "/firms" },
  home: ["/home"],
  pipeline: ["/pipeline"],
  tasks: ["/tasks"],
  admin: ["keys", "members", "credits", "webhooks", "settings", "log"].map((part) => `/admin/${part}`),
  sessions: ["/sessions"],
  organizations: ["/organizations"]
}

/** Of a page, by the page of a browser in which somebody is signed in; it may be led elsewhere. */
export const addressesOf = async (name: PageName, page: Page): Promise<ReadonlyArray<string>> => {
  const where = places[name]
  if (!("firstOf" in where)) return where
  await page.goto(where.firstOf)
  const found = await page.getByRole("table").getByRole("link").first().getAttribute("href")
  if (found === null) throw new Error(`the demonstration has nothing for the page ${name}`)
  return [found]
}
