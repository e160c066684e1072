/** `freehold source try`: a look at a portal, and a first map for it. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { leftOut, otherStates, propose, type Sample } from "@freehold/core/source/MapProposal"
import { recognize } from "@freehold/core/source/SourceAddress"
import { FileFormat, type SourceDocument } from "@freehold/core/source/SourceDocument"
import { type SourcePage, SourceReader } from "@freehold/core/source/SourceReader"
import { Effect, Option, Predicate, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { CommandRefused } from "../CommandRefused.ts"
import { otherDelimiter } from "../import/OtherDelimiter.ts"
import { portals } from "../LazyComposition.ts"
import { json, print } from "../Output.ts"
import { toWrite } from "../source/ToWrite.ts"

const syncing = Effect.promise(() => import("../source/SourceSync.ts"))

/** Rows that are looked at. */
const looked = 100
const shown = 10

/** The cells of the columns of a page, and how many rows it has. */
const sampleOf = (page: SourcePage): { readonly sample: Sample; readonly rows: number } => {
  const rows = page.records.flatMap((record) => record._tag === "Read" ? [record.cells] : [])
  const columns = new Set([...page.columns ?? [], ...rows.flatMap((cells) => [...cells.keys()])])
  return {
    sample: new Map([...columns].map((column) => [column, rows.map((cells) => cells.get(column) ?? "")])),
    rows: rows.length
  }
}

/** So many states are named. */
const toldStates = 5

const manyCounties = (county: string, states: ReadonlyArray<string>): string => {
  const more = states.length - toldStates
  return `Some of these rows lie in ${states.slice(0, toldStates).join(", ")}${
    more > 0 ? ` and ${more} other states` : ""
  }, `
    + `and county ${county} does not: put the column that says the county into the map as countyFips, or a lookup that tells it.`
}

export const tryCommand = Command.make(
  "try",
  {
    address: Argument.String("url").pipe(
      Argument.withDescription("A dataset, a layer, a resource of a datastore, or a file")
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription("What the source is to be called"),
      Flag.withDefault("my-source")
    ),
    county: Flag.String("county").pipe(
      Flag.withMetavar("FIPS"),
      Flag.withDescription(
        "The county that its properties lie in; where they lie in several, put the column that says it into the map"
      ),
      Flag.filter((county) => /^\d{5}$/.test(county), () => "Expected 5 digits")
    ),
    format: Flag.Literals("format", FileFormat.literals).pipe(
      Flag.withDescription("Of a file whose name does not tell: how it is written"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const given = existsSync(input.address) ? pathToFileURL(resolve(input.address)).href : input.address
    const recognized = recognize(given)
    if (recognized === undefined) {
      return yield* new CommandRefused({ reason: `${input.address} is no address, and there is no such file` })
    }
    const { formerCountiesOf, mapOf, rowContext, rowsOfPage } = yield* syncing
    const { query, ...place } = recognized
    const document = (map: SourceDocument["map"], delimiter: string | undefined): SourceDocument => ({
      name: input.name,
      ...toWrite,
      ...place,
      query: {
        ...query,
        ...Option.isSome(input.format) ? { format: input.format.value } : {},
        ...delimiter === undefined ? {} : { delimiter }
      },
      schedule: "1 day",
      map
    })
    const reader = yield* SourceReader
    const firstPage = (delimiter: string | undefined) =>
      reader.read({
        document: { ...document({ key: "-", fields: {} }, delimiter), page: looked },
        token: null,
        since: null,
        position: null
      }).pipe(
        Stream.runHead,
        Effect.mapError(({ reason }) => new CommandRefused({ reason: `${input.address}: ${reason}` })),
        Effect.flatMap(Option.match({
          onNone: () => Effect.fail(new CommandRefused({ reason: `${input.address}: has no rows` })),
          onSome: (page) => Effect.succeed(page)
        }))
      )
    const asWritten = yield* firstPage(undefined)
    const delimiter = otherDelimiter(asWritten.columns ?? [])
    const page = delimiter === undefined ? asWritten : yield* firstPage(delimiter)
    if (page.records.length === 0) return yield* new CommandRefused({ reason: `${input.address}: has no rows` })
    const { rows, sample } = sampleOf(page)
    const proposed = document(propose(sample, rows, input.name, input.county), delimiter)
    const context = yield* rowContext
    const map = yield* mapOf(proposed, context)
    const made = rowsOfPage(map, "properties", page, context)
    const columns = [...sample].map(([column, cells]) => ({
      column,
      example: cells.find((cell) => cell !== "") ?? null
    }))
    const kept = made.rows.flatMap(({ digest, row }) => digest === null ? [] : [row]).slice(0, shown)
    const elsewhere = Predicate.isObject(proposed.map.fields["countyFips"]) ? otherStates(sample, input.county) : []
    const notes = [
      elsewhere.length === 0 ? null : manyCounties(input.county, elsewhere),
      FormerCountyRows.noted(formerCountiesOf("properties", made.rows))
    ].filter(Predicate.isNotNull)
    yield* print(
      input.json,
      {
        document: proposed,
        columns,
        leftOut: leftOut(sample, proposed.map),
        rows: kept,
        rejects: made.rejects.slice(0, shown),
        notes
      },
      (shown) =>
        [
          JSON.stringify(shown.document, null, 2),
          `columns: ${columns.map(({ column, example }) => `${column} (${example ?? "-"})`).join(", ")}`,
          ...shown.leftOut.length === 0 ? [] : [`left out of the map: ${shown.leftOut.join(", ")}`],
          ...shown.rows.map((row) => JSON.stringify(row)),
          ...shown.rejects.map(({ field, place, reason }) => `${place}: ${field ?? "the row"} ${reason}`),
          ...shown.notes
        ].join("\n\n")
    )
  }, Effect.provide(portals))
).pipe(
  Command.withDescription("Look at a portal: propose a document with a map, and show ten rows as it makes them"),
  Command.withExamples([
    {
      command: "freehold source try https://data.example.gov/resource/abcd-1234 --county 36061 --json",
      description: "A first document, to be completed and saved"
    }
  ])
)
