/** `SiteReader` over the web: the first page of a site, and a few of those that it links to (`SiteLinks`). */
import { SiteReader, type SiteReading } from "@freehold/core/research/SiteReader"
import { Effect, Layer, Option, Result } from "effect"
import * as SiteLinks from "./SiteLinks.ts"
import { make, type WebPage, type WebPagesSettings } from "./WebPages.ts"

/** Of one site, with its first. */
const mostPages = 6

const shown = ({ address, readAt, text }: WebPage) => ({ address, readAt, text })

/** Needs a `GuardedGet` and a `FinderCache`. */
export const layer = (settings: WebPagesSettings) =>
  Layer.effect(
    SiteReader,
    Effect.gen(function*() {
      const web = yield* make(settings)
      return SiteReader.of({
        read: Effect.fn("SiteReader.read")(
          function*(address) {
            const site = URL.parse(address)?.href
            const first = site === undefined ? Option.none() : yield* web.page(site, site)
            if (site === undefined || Option.isNone(first)) return { pages: [], trouble: null }
            const { address: url, links } = first.value
            const others = yield* Effect.forEach(
              SiteLinks.choose(url, links, mostPages - 1),
              (link) => Effect.result(web.page(site, link))
            )
            const read = others.flatMap((other) => Result.isSuccess(other) ? Option.toArray(other.success) : [])
            const pages = new Map([first.value, ...read].map((page) => [page.address, shown(page)]))
            const reading: SiteReading = { pages: [...pages.values()], trouble: null }
            return reading
          },
          // Where a site may not be asked it makes no sense to try again.
          Effect.catchTag("GetFault", ({ reason, refused }) =>
            Effect.succeed<SiteReading>({ pages: [], trouble: refused ? null : reason }))
        )
      })
    })
  )
