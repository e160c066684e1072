/**
 * A file by its address: CSV, NDJSON or GeoJSON, as it is, in gzip or in a zip.
 *
 * The file is fetched first and read from the disk, so that a publisher is not kept waiting and a zip can be opened. It is asked
 * for on condition that it changed. A reading that goes on finds out whether the file is still the same, and passes over the rows
 * that it has; of another file it begins anew. An address `file:` is one of the operator's own files, for trying.
 */
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { FileFormat } from "@freehold/core/source/SourceDocument"
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import type { GetAnswer } from "@freehold/webhook-worker/GuardedGet"
import { Clock, Duration, Effect, Option, Predicate, Redacted, Schema, Stream } from "effect"
import { createReadStream, createWriteStream } from "node:fs"
import { mkdtemp, open, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream"
import { fileURLToPath } from "node:url"
import { createGunzip } from "node:zlib"
import * as CsvRecords from "../import/CsvRecords.ts"
import * as JsonLines from "../import/JsonLines.ts"
import { whyNot } from "../WhyNot.ts"
import { cellsOf } from "./Cells.ts"
import * as Centroid from "./Centroid.ts"
import * as JsonItems from "./JsonItems.ts"
import type { Portal } from "./Portal.ts"
import * as ZipEntry from "./ZipEntry.ts"

const pageSize = 2000

/** What a file may take on the disk at most. */
const largestFile = 8 * 1024 * 1024 * 1024

/**
 * Bytes a second, on average once the first minutes are over: a file that comes more slowly would keep the sources after it waiting
 * for days.
 */
const slowest = 1024
const firstMinutes = Duration.minutes(5)

/** A publisher's file that changed so shortly before it was fetched may change again under the same date, which has whole seconds. */
const restless = Duration.minutes(1)

/** The same of an own file, whose moment of change is as fine as the clock of its file system. */
const ownRestless = Duration.seconds(1)

/** What tells one version of a file from another; both null: nothing does. */
const Version = Schema.Struct({ etag: Schema.NullOr(Schema.String), modified: Schema.NullOr(Schema.String) })
type Version = typeof Version.Type
const decodeVersion = Schema.decodeUnknownOption(Version)

const Position = Schema.Struct({ version: Version, rows: Schema.Int })
const decodePosition = Schema.decodeUnknownOption(Position)

type Rows = Stream.Stream<SourcePage["records"][number], SourceFault>

const reasonOf = (cause: unknown): string => cause instanceof Error ? cause.message : String(cause)
const passing = (reason: string) => new SourceFault({ reason, lasting: false })
const lasting = (reason: string) => new SourceFault({ reason, lasting: true })

const isSame = (one: Version, other: Version): boolean =>
  one.etag !== null || other.etag !== null
    ? one.etag === other.etag
    : one.modified !== null && one.modified === other.modified

const formats: ReadonlyArray<readonly [RegExp, FileFormat]> = [
  [/\.(csv|tsv|txt)$/i, "csv"],
  [/\.(ndjson|jsonl)$/i, "ndjson"],
  [/\.(geojson|json)$/i, "geojson"]
]

const formatOf = (name: string): FileFormat | undefined =>
  formats.find(([pattern]) => pattern.test(name.replace(/\.(gz|zip)$/i, "")))?.[1]

/** The bytes of what lies on the disk, without what they are packed in, and the name of what was in there. */
const unpacked = Effect.fnUntraced(function*(file: string, name: string, entry: string | undefined) {
  const head = yield* Effect.tryPromise({
    try: async () => {
      const handle = await open(file)
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
        return buffer.subarray(0, bytesRead)
      } finally {
        await handle.close()
      }
    },
    catch: (cause) => passing(reasonOf(cause))
  })
  if (head.toString("latin1") === "PK\u0003\u0004") return yield* ZipEntry.find(file, entry)
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  const bytesOf = (): Readable =>
    isGzip ? pipeline(createReadStream(file), createGunzip(), () => {}) : createReadStream(file)
  return { name, bytesOf }
})

const streamOf = (bytesOf: () => Readable): Stream.Stream<Uint8Array, SourceFault> =>
  NodeStream.fromReadable({
    evaluate: bytesOf,
    // A file that was cut off is whole the next time.
    onError: (cause) => passing(`the file cannot be read to its end: ${reasonOf(cause)}`)
  })

/** The columns of a CSV file, once its first row was read, and those that are there twice: which is meant, nobody can tell. */
interface Header {
  names: ReadonlyArray<string> | null
  repeated: ReadonlyArray<string>
}

const csvRows = (bytes: Stream.Stream<Uint8Array, SourceFault>, delimiter: string, header: Header): Rows =>
  CsvRecords.read("the file", delimiter, bytes).pipe(
    Stream.mapArrayEffect(Effect.fnUntraced(function*(records) {
      const last = records.at(-1)
      if (last?._tag !== "Broken" || !last.isLast) return records
      return yield* lasting(`the file cannot be read to its end: line ${last.line} ${last.reason}`)
    })),
    Stream.catchTag("ImportFileFault", ({ reason }) => Stream.fail(lasting(`the file ${reason}`))),
    Stream.mapAccum(() => header, (header, record): readonly [Header, ReadonlyArray<SourcePage["records"][number]>] => {
      if (record._tag === "Broken") {
        return [header, [{
          _tag: "Unreadable",
          place: `line ${record.line}`,
          reason: record.reason,
          text: record.text
        }]]
      }
      const names = header.names
      if (names === null) {
        header.names = record.value.map((name) => name.trim())
        header.repeated = header.names.filter((name, index, all) => all.indexOf(name) !== index)
        return [header, []]
      }
      const place = `line ${record.line}`
      if (record.value.length !== names.length) {
        const reason = `has ${record.value.length} cells where the header has ${names.length}`
        return [header, [{ _tag: "Unreadable", place, reason, text: record.value.join(delimiter) }]]
      }
      const cells = new Map(names.map((name, index) => [name, (record.value[index] ?? "").trim()]))
      for (const name of header.repeated) cells.delete(name)
      return [header, [{ _tag: "Read", place, cells }]]
    })
  )

const jsonRows = (bytes: Stream.Stream<Uint8Array, SourceFault>): Rows =>
  JsonLines.read(bytes).pipe(Stream.map((record) => {
    const place = `line ${record.line}`
    return record._tag === "Broken"
      ? { _tag: "Unreadable", place, reason: record.reason, text: record.text }
      : Predicate.isObject(record.value)
      ? { _tag: "Read", place, cells: cellsOf(record.value) }
      : { _tag: "Unreadable", place, reason: "is not a JSON object", text: record.text }
  }))

/** The properties of a feature, and where it is. */
const featureCells = (feature: { readonly [name: string]: unknown }): Map<string, string> | undefined => {
  const { geometry, properties } = feature
  if (!Predicate.isObject(properties)) return undefined
  const cells = cellsOf(properties)
  const place = Centroid.ofGeoJson(geometry)
  if (place !== undefined) {
    cells.set("lat", place.lat.toFixed(6))
    cells.set("lon", place.lon.toFixed(6))
  }
  return cells
}

const featureRows = (bytes: Stream.Stream<Uint8Array, SourceFault>): Rows =>
  JsonItems.read("features", bytes, () => passing("the file ends in the middle, or has no features")).pipe(
    Stream.map(({ fault, place, value }) => {
      const at = `feature ${place}`
      if (fault !== undefined) return { _tag: "Unreadable", place: at, reason: fault, text: String(value) }
      const cells = Predicate.isObject(value) ? featureCells(value) : undefined
      return cells === undefined
        ? { _tag: "Unreadable", place: at, reason: "is no feature", text: JSON.stringify(value).slice(0, 200) }
        : { _tag: "Read", place: at, cells }
    })
  )

/** A file on the disk; undefined: it did not change. */
interface Fetched {
  readonly path: string
  readonly name: string
  readonly version: Version
  /** Fails if the file is not any more what it was. */
  readonly verify: Effect.Effect<void, SourceFault>
}

/** What changes with every writing of an own file, and when that was. */
const ownState = (path: string) =>
  Effect.map(
    Effect.tryPromise({
      try: () => stat(path, { bigint: true }),
      catch: (cause) => lasting(`the file cannot be read: ${whyNot(cause)}`)
    }),
    ({ ctimeMs, ctimeNs, ino, mtimeNs, size }) => ({
      changed: Number(ctimeMs),
      tag: [ino, size, mtimeNs, ctimeNs].join(" ")
    })
  )

const ownFile = (address: string, since: Version | undefined) =>
  Effect.gen(function*() {
    const path = yield* Effect.try({
      try: () => fileURLToPath(address),
      catch: () => lasting("the address is no file of this machine")
    })
    const { changed, tag } = yield* ownState(path)
    const now = yield* Clock.currentTimeMillis
    const isSettled = now - changed >= Duration.toMillis(ownRestless)
    const version = { etag: isSettled ? tag : null, modified: null }
    if (since !== undefined && isSame(since, version)) return undefined
    const verify = Effect.flatMap(
      ownState(path),
      (state) => state.tag === tag ? Effect.void : Effect.fail(passing("the file changed while it was read"))
    )
    return { path, name: path, version, verify }
  })

const scratch = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => mkdtemp(join(tmpdir(), "freehold-source-")),
    catch: (cause) => passing(`the folder for temporary files (TMPDIR) cannot be written: ${reasonOf(cause)}`)
  }),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** A date that lies shortly before the answer's own says nothing of what comes after it. */
const versionOf = (headers: GetAnswer["headers"]): Version => {
  const modified = headers["last-modified"] ?? null
  const answered = Date.parse(headers["date"] ?? "")
  const isSettled = modified !== null && answered - Date.parse(modified) >= Duration.toMillis(restless)
  return { etag: headers["etag"] ?? null, modified: isSettled ? modified : null }
}

const fetched = Effect.fnUntraced(function*(portal: Portal, { document, token }: Reading, since: Version | undefined) {
  const path = join(yield* scratch, "file")
  return yield* portal.asking(
    {
      url: document.address,
      headers: {
        "Accept-Encoding": "identity",
        ...since?.etag === null || since === undefined ? {} : { "If-None-Match": since.etag },
        ...since?.modified === null || since === undefined ? {} : { "If-Modified-Since": since.modified }
      },
      ...token === null ? {} : { secretHeaders: { Authorization: `Bearer ${Redacted.value(token)}` } }
    },
    Effect.fnUntraced(function*({ body, headers, status }) {
      if (status === 304) return undefined
      if (status !== 200) return yield* lasting(`answered ${status}`)
      let length = 0
      const begun = yield* Clock.currentTimeMillis
      const bounded = Stream.tap(
        Stream.catchTag(body, "GetFault", ({ reason }) => Stream.fail(passing(reason))),
        Effect.fnUntraced(function*(chunk) {
          length += chunk.length
          if (length > largestFile) return yield* lasting(`the file is larger than ${largestFile} bytes`)
          const millis = (yield* Clock.currentTimeMillis) - begun
          if (millis > Duration.toMillis(firstMinutes) && length < slowest * millis / 1000) {
            return yield* passing(`the file comes at less than ${slowest} bytes a second`)
          }
        })
      )
      yield* Stream.run(
        bounded,
        NodeSink.fromWritable({
          evaluate: () => createWriteStream(path),
          onError: (cause) => passing(`the file cannot be kept: ${reasonOf(cause)}`)
        })
      )
      const expected = headers["content-length"]
      if (expected !== undefined && headers["content-encoding"] === undefined && Number(expected) !== length) {
        return yield* passing(`the file ended after ${length} of ${expected} bytes`)
      }
      return { path, name: new URL(document.address).pathname, version: versionOf(headers), verify: Effect.void }
    })
  )
})

export const read = (portal: Portal, reading: Reading): Stream.Stream<SourcePage, SourceFault> =>
  Stream.unwrap(Effect.gen(function*() {
    const { document, position, since } = reading
    const known = Option.getOrUndefined(decodeVersion(since))
    const found: Fetched | undefined = document.address.startsWith("file:")
      ? yield* ownFile(document.address, known)
      : yield* fetched(portal, reading, known)
    if (found === undefined) {
      const nothing: SourcePage = { records: [], columns: null, position: null, mark: since }
      return Stream.succeed(nothing)
    }
    const { query = {} } = document
    const { bytesOf, name } = yield* unpacked(found.path, found.name, query.entry)
    const format = query.format ?? formatOf(name)
    if (format === undefined) {
      return yield* lasting(
        `what ${name} is cannot be told by its name; say so: "query": {"format": ...} in its document, or --format of source try`
      )
    }
    const header: Header = { names: null, repeated: [] }
    const bytes = streamOf(bytesOf)
    const rows = format === "csv"
      ? csvRows(bytes, query.delimiter ?? ",", header)
      : format === "ndjson"
      ? jsonRows(bytes)
      : featureRows(bytes)
    const at = Option.getOrUndefined(decodePosition(position))
    if (at !== undefined && !isSame(at.version, found.version)) {
      return yield* lasting("the file is another one than that which was begun")
    }
    let done = at?.rows ?? 0
    const page = (records: SourcePage["records"]): SourcePage => {
      done += records.length
      return { records, columns: header.names, position: { version: found.version, rows: done }, mark: found.version }
    }
    // The columns of a file without rows are looked at, too: what a login page or a broken export has for a header is none.
    const columnsAlone = Stream.suspend(() =>
      done === 0 && header.names !== null ? Stream.succeed(page([])) : Stream.empty
    )
    return rows.pipe(
      Stream.drop(done),
      Stream.grouped(document.page ?? pageSize),
      Stream.map(page),
      Stream.concat(columnsAlone),
      Stream.concat(Stream.fromEffectDrain(found.verify))
    )
  }))
