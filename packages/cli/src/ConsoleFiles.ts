/** The built files of the app, as its package lists them. Each is read when it is first asked for. */
import type { Pages } from "@freehold/http-host/console/ConsolePages"
import { Effect, Schema } from "effect"
import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
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

const read = (file: string) => readFile(fileURLToPath(import.meta.resolve(`@freehold/console/dist/${file}`)))

const content = (file: string) => Effect.promise(async () => new Uint8Array(await read(file)))

/** Refused where the app was not built. `operator`: with the pages of the operator's area. */
export const pages = Effect.fnUntraced(function*({ operator }: { readonly operator: boolean }) {
  const text = yield* Effect.tryPromise({
    try: () => read("manifest.json"),
    catch: () =>
      new CommandRefused({
        reason: "the app is not built; run `pnpm console` in the repository, or set FREEHOLD_CONSOLE=off"
      })
  })
  const { documents, files } = yield* Effect.orDie(Schema.decodeEffect(Manifest)(text.toString()))
  const offered = documents.filter(({ paths }) => operator || !paths.every((path) => path.startsWith("/operator")))
  return {
    documents: offered.map(({ file, paths }) => ({ paths, content: content(file) })),
    assets: files.map((file) => ({
      path: `/${file}` as const,
      contentType: contentTypes[extname(file)] ?? "application/octet-stream",
      content: content(file)
    }))
  } satisfies Pages
})
