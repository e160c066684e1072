/** Which pages of a site are worth reading: of its own host, by the words in their addresses and links. */
import type { PageLink } from "./PageText.ts"

/** Each with what a page is worth that has it in its address or in the words of a link to it. */
const words: ReadonlyArray<readonly [RegExp, number]> = [
  [/team|people|leadership|staff|directory|who-we-are/i, 4],
  [/management|executives|officers|principals/i, 3],
  [/contact|portfolio|propert(y|ies)|buildings|locations/i, 2],
  [/about|company|our-firm|owner|affiliat|subsidiar/i, 1]
]

/** Characters of an address; a longer one is no page that people are shown, and too long to be remembered by. */
const longestAddress = 1000

const isDocument = (path: string): boolean => !/\.(?!html?$|php$|aspx?$|jsp$)[a-z0-9]{2,5}$/i.test(path)

/** With and without `www.` a host is the same. */
export const hostOf = ({ hostname, port }: URL): string => `${hostname.replace(/^www\./, "")}:${port}`

/** Whether the address is of the same site; a site may be moved from http to https. */
export const isOfSite = (site: string, address: string): boolean => {
  const [one, other] = [URL.parse(site), URL.parse(address)]
  return one !== null && other !== null && hostOf(one) === hostOf(other)
    && (other.protocol === "https:" || other.protocol === one.protocol)
}

const worthOf = (address: URL, link: string): number =>
  words.reduce((worth, [word, value]) => word.test(address.pathname) || word.test(link) ? worth + value : worth, 0)

/** The addresses of the pages that are worth most, first those that come first; at most so many. */
export const choose = (page: string, links: ReadonlyArray<PageLink>, most: number): ReadonlyArray<string> => {
  const worth = new Map<string, number>()
  for (const { href, words } of links) {
    const address = URL.parse(href, page)
    if (address === null || address.search !== "" || !isDocument(address.pathname)) continue
    address.hash = ""
    if (!isOfSite(page, address.href) || address.href === page || address.href.length > longestAddress) continue
    worth.set(address.href, Math.max(worth.get(address.href) ?? 0, worthOf(address, words)))
  }
  return [...worth].filter(([, value]) => value > 0).sort(([, left], [, right]) => right - left).slice(0, most).map((
    [address]
  ) => address)
}
