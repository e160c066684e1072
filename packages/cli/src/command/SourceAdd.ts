/** `freehold source add` and `freehold source catalogue`. */
import type { SourceDocument } from "@freehold/core/source/SourceDocument"
import { Sources } from "@freehold/core/source/Sources"
import { Effect, FileSystem, Option, Redacted, type Stdio } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { CommandRefused } from "../CommandRefused.ts"
import { folded } from "../Help.ts"
import { sourcesMigrated } from "../LazyComposition.ts"
import { json, print, record } from "../Output.ts"
import { unwritten } from "../source/ToWrite.ts"
import { whyNot } from "../WhyNot.ts"

const catalogueModule = Effect.promise(() => import("../source/Catalogue.ts"))
const documentModule = Effect.promise(() => import("../source/DocumentFile.ts"))

const catalogueName = /^[a-z0-9][a-z0-9-]*$/

interface Asked {
  readonly source: string
  readonly area: Option.Option<string>
  readonly excerpt: boolean
  readonly from: Option.Option<string>
}

/** One of the catalogue, whole or a part of it. */
const ofCatalogue = Effect.fnUntraced(function*({ area, excerpt, source }: Asked) {
  const catalogue = yield* catalogueModule
  const found = yield* catalogue.find(source)
  if (Option.isNone(found)) {
    return yield* new CommandRefused({
      reason: `there is neither a file ${source} nor such a source in the catalogue; see: freehold source catalogue`
    })
  }
  const entry = found.value
  if (excerpt) {
    const document = catalogue.excerptOf(entry)
    return Option.isSome(document)
      ? document.value
      : yield* new CommandRefused({ reason: `no records of ${source} come along` })
  }
  const document = catalogue.documentOf(entry)
  if (Option.isNone(area)) return document
  const { areas = {} } = entry
  const query = areas[area.value]
  return query === undefined
    ? yield* new CommandRefused({
      reason: Object.keys(areas).length === 0
        ? `${source} cannot be narrowed to an area`
        : `${source} has no area ${area.value}, but ${Object.keys(areas).join(", ")}`
    })
    : { ...document, query }
})

const documentOf = Effect.fnUntraced(function*(asked: Asked): Effect.fn.Return<
  SourceDocument,
  CommandRefused,
  FileSystem.FileSystem | Stdio.Stdio
> {
  const { checked, read } = yield* documentModule
  const document = catalogueName.test(asked.source) ? yield* ofCatalogue(asked) : yield* read(asked.source)
  if (Option.isNone(asked.from)) return document
  const address = asked.from.value
  return yield* checked(
    {
      ...document,
      kind: "file",
      address: /^[a-z]+:\/\//i.test(address) ? address : pathToFileURL(resolve(address)).href
    },
    asked.source
  )
})

const tokenOf = Effect.fnUntraced(function*(file: Option.Option<string>) {
  if (Option.isNone(file)) return null
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* fileSystem.readFileString(file.value).pipe(
    Effect.mapError((error) => new CommandRefused({ reason: `${file.value} cannot be read: ${whyNot(error)}` }))
  )
  const token = text.trim()
  return /^[\x21-\x7e]{1,4000}$/.test(token)
    ? Redacted.make(token)
    : yield* new CommandRefused({ reason: `${file.value} does not hold one token` })
})

export const addCommand = Command.make(
  "add",
  {
    source: Argument.String("source").pipe(
      Argument.withDescription("The file of a document (./parcels.json), or a name of the catalogue")
    ),
    area: Flag.String("area").pipe(
      Flag.withDescription("Of a source of the catalogue: only this part"),
      Flag.optional
    ),
    excerpt: Flag.Boolean("excerpt").pipe(
      Flag.withDescription("The few real records that come along, instead of the portal: to try it without a network"),
      Flag.withDefault(false)
    ),
    from: Flag.String("from").pipe(
      Flag.withMetavar("FILE|URL"),
      Flag.withDescription("Read this file instead of the portal; it has the portal's columns"),
      Flag.optional
    ),
    tokenFile: Flag.String("token-file").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The token that the portal is shown; it is kept sealed"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*({ json, tokenFile, ...asked }) {
    const document = yield* documentOf(asked)
    const left = unwritten(document)
    if (left.length > 0) {
      return yield* new CommandRefused({
        reason:
          `${asked.source}: ${left.join(", ")} ${left.length === 1 ? "is" : "are"} still what \`source try\` proposed; `
          + "write what the publisher says"
      })
    }
    const token = yield* tokenOf(tokenFile)
    const outcome = yield* Effect.provide(Sources.use((port) => port.put(document, token)), sourcesMigrated)
    yield* print(
      json,
      { name: document.name, outcome, licence: document.licence, attribution: document.attribution },
      (shown) =>
        `${record(Object.entries(shown))}\n\n${
          document.schedule === undefined ? "" : "It is synced by `freehold serve` and `freehold worker`. "
        }Now: freehold source sync ${document.name}`
    )
  })
).pipe(
  Command.withDescription("Add a source, or change it: a document of yours, or one of the catalogue"),
  Command.withExamples([
    { command: "freehold source add nyc-pluto --area Manhattan", description: "One of the catalogue" },
    { command: "freehold source add ./parcels.json --token-file token.txt", description: "A document of your own" },
    { command: "freehold source add nyc-pluto --excerpt", description: "Some 300 real lots, without any network" }
  ])
)

interface Listed {
  readonly name: string
  readonly title: string
  readonly kind: string
  readonly rows: string
  readonly states: ReadonlyArray<string>
  readonly areas: ReadonlyArray<string>
  readonly licence: string
  readonly excerpt: boolean
}

/** A source in lines that can be read: its licence and the names of its areas are long. */
const listed = ({ areas, excerpt, kind, licence, name, rows, states, title }: Listed): string => {
  const line = (head: string, text: string) => `  ${head}${folded(text.split(" "), head.length + 2, head.length + 2)}`
  const what = `${rows} of ${states.length === 0 ? "any state" : states.join(" ")}, ${kind}`
  return [
    name,
    line("", title),
    line("", excerpt ? `${what}, with an excerpt` : what),
    ...areas.length === 0 ? [] : [line("areas: ", areas.join(", "))],
    line("licence: ", licence)
  ].join("\n")
}

export const catalogueCommand = Command.make(
  "catalogue",
  {
    state: Flag.String("state").pipe(
      Flag.withDescription("Only those with properties of this state, by its postal abbreviation"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const { entries } = yield* catalogueModule
    const state = Option.getOrUndefined(input.state)?.toUpperCase()
    const found = (yield* entries).filter(({ states }) =>
      state === undefined || states.length === 0 || states.includes(state)
    )
    const items = found.map((
      { areas = {}, attribution, checked, excerpt, kind, licence, name, rows = "properties", states, title }
    ) => ({
      name,
      title,
      kind,
      rows,
      states,
      areas: Object.keys(areas),
      licence,
      attribution,
      checked,
      excerpt: excerpt !== undefined
    }))
    yield* print(
      input.json,
      { items },
      ({ items }) => items.length === 0 ? "none" : items.map(listed).join("\n\n")
    )
  })
).pipe(
  Command.withDescription("List the ready sources that come along, with their licences"),
  Command.withExamples([{ command: "freehold source catalogue --state NY", description: "What there is of New York" }])
)
