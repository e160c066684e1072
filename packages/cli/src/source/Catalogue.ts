/**
 * The sources that come along: documents of real portals, each with the parts that it can be narrowed to, and a few of its
 * real records for trying.
 */
import { decoder } from "@freehold/core/operation/InvalidInput"
import { SourceDocument, SourceQuery } from "@freehold/core/source/SourceDocument"
import { Effect, Option, Result, Schema } from "effect"
import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const Entry = Schema.Struct({
  ...SourceDocument.fields,
  states: Schema.Array(Schema.String).annotate({ description: "Where its properties are; empty: everywhere." }),
  /** What takes the place of `query`, by the name of a part. */
  areas: Schema.optionalKey(Schema.Record(Schema.String, SourceQuery)),
  /** The fields of the portal were seen on a page of it: which, and when. */
  checked: Schema.Struct({ against: Schema.String, at: Schema.String }),
  /** The file of real records beside the documents, and how it is written. */
  excerpt: Schema.optionalKey(Schema.Struct({ file: Schema.String, query: SourceQuery }))
})
export type Entry = typeof Entry.Type

const decodeEntry = decoder(Entry)

/** Beside the program where it is bundled, in the repository otherwise. */
export const folder = ((): string => {
  const bundled = join(import.meta.dirname, "sources")
  return existsSync(bundled) ? bundled : join(import.meta.dirname, "../../../../sources")
})()

const read = async (file: string): Promise<Entry> => {
  const entry = decodeEntry(JSON.parse(await readFile(join(folder, file), "utf8")))
  if (Result.isFailure(entry)) throw new Error(`${file}: ${entry.failure.message}`)
  return entry.success
}

/** All of them, by name. */
export const entries: Effect.Effect<ReadonlyArray<Entry>> = Effect.promise(async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted()
  return Promise.all(files.map(read))
})

export const find = (name: string): Effect.Effect<Option.Option<Entry>> =>
  Effect.map(entries, (all) => Option.fromUndefinedOr(all.find((entry) => entry.name === name)))

/** The document of an entry, without what belongs to the catalogue alone. */
export const documentOf = (
  { areas: _areas, checked: _checked, excerpt: _excerpt, states: _states, ...document }: Entry
): SourceDocument => document

/** The document over the records that came along. */
export const excerptOf = (entry: Entry): Option.Option<SourceDocument> =>
  Option.map(Option.fromUndefinedOr(entry.excerpt), ({ file, query }) => ({
    ...documentOf(entry),
    kind: "file",
    address: pathToFileURL(join(folder, file)).href,
    query
  }))
