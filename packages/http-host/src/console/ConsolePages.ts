/**
 * The pages of the app and the files that they load, as they were built: the same for everybody.
 *
 * Every page is one document, which asks who is signed in by itself. It is asked for anew each time and told apart by its
 * ETag; a file has its content in its name, and is kept for good.
 */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import * as RequestFrame from "../RequestFrame.ts"
import * as StaticFile from "../StaticFile.ts"
import { securityHeaders } from "./SecurityHeaders.ts"

/** A file that pages load. */
export interface Asset {
  readonly path: `/${string}`
  readonly contentType: string
  readonly content: Effect.Effect<Uint8Array>
}

/** A document, which is several pages. */
export interface Document {
  /** A part that begins with a colon stands for any. */
  readonly paths: ReadonlyArray<`/${string}`>
  readonly content: Effect.Effect<Uint8Array>
}

export interface Pages {
  readonly documents: ReadonlyArray<Document>
  readonly assets: ReadonlyArray<Asset>
}

const year = 31_536_000

/** The routes of pages at an origin. */
export const layer = ({ origin, pages }: { readonly origin: string; readonly pages: Pages }) => {
  const headers = securityHeaders(origin)
  const documents = pages.documents.flatMap(({ content, paths }) =>
    paths.map((path): StaticFile.StaticFile => ({
      path,
      contentType: "text/html; charset=utf-8",
      cacheControl: "no-cache",
      headers,
      content
    }))
  )
  const assets = pages.assets.map((asset): StaticFile.StaticFile => ({
    ...asset,
    cacheControl: `public, max-age=${year}, immutable`,
    headers
  }))
  const routes = Effect.all([Effect.forEach(documents, StaticFile.route), StaticFile.folders(assets)])
  return HttpRouter.addAll(Effect.map(routes, (each) => each.flat())).pipe(Layer.provide(RequestFrame.layer))
}
