/**
 * The built files of the app, as its package lists them. All are read at the start: while a server runs, another version may be
 * installed in the place of its own.
 */
import type { Pages } from "@freehold/http-host/console/ConsolePages"
import { Effect, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { CommandRefused } from "./CommandRefused.ts"

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8"
}

const Path = Schema.TemplateLiteral(["/", Schema.String])

const Manifest = Schema.fromJsonString(Schema.Struct({
  documents: Schema.Array(Schema.Struct({ file: Schema.String, paths: Schema.Array(Path) })),
  files: Schema.Array(Schema.String)
}))

const missing = () =>
  new CommandRefused({
    reason: "the app is not built; run `pnpm console` in the repository, or set FREEHOLD_CONSOLE=off"
  })

/** Refused where the app was not built. `operator`: with the pages of the operator's area. */
export const pages = Effect.fnUntraced(function*({ operator }: { readonly operator: boolean }) {
  // Looked for once: that takes longer than to read a file.
  const manifest = yield* Effect.try({
    try: () => import.meta.resolve("@freehold/console/dist/manifest.json"),
    catch: missing
  })
  const read = (file: string) =>
    Effect.tryPromise({
      try: async () => new Uint8Array(await readFile(new URL(file, manifest))),
      catch: missing
    })
  const content = (file: string) => Effect.map(read(file), Effect.succeed)

  const { documents, files } = yield* Effect.flatMap(
    read(manifest),
    (bytes) => Effect.orDie(Schema.decodeEffect(Manifest)(new TextDecoder().decode(bytes)))
  )
  const offered = documents.filter(({ paths }) => operator || !paths.every((path) => path.startsWith("/operator")))
  const concurrency = "unbounded"
  return {
    documents: yield* Effect.forEach(
      offered,
      ({ file, paths }) => Effect.map(content(file), (content) => ({ paths, content })),
      { concurrency }
    ),
    assets: yield* Effect.forEach(
      files,
      (file) =>
        Effect.map(content(file), (content) => ({
          path: `/${file}` as const,
          contentType: contentTypes[extname(file)] ?? "application/octet-stream",
          content
        })),
      { concurrency }
    )
  } satisfies Pages
})
