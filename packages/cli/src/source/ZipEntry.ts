/**
 * One entry of a zip file that lies on the disk: found by the directory at the file's end, read from where that says it begins.
 *
 * *Gotchas.* Files of more than 4 GB have a second form of the directory, and encrypted ones another; neither is read.
 */
import { SourceFault } from "@freehold/core/source/SourceReader"
import { Effect } from "effect"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { pipeline, Readable } from "node:stream"
import { createInflateRaw } from "node:zlib"

interface Entry {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly compressed: number
  readonly at: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endLength = 22
const longestComment = 65_535
const mostEntries = 10_000
const readable = /\.(csv|tsv|txt|ndjson|jsonl|geojson|json)$/i

const faulty = (reason: string) => new SourceFault({ reason: `the zip file ${reason}`, lasting: true })

const read = (
  file: string,
  use: (read: (at: number, length: number) => Promise<Buffer>, size: number) => Promise<Buffer | undefined>
) =>
  Effect.tryPromise({
    try: async () => {
      const handle = await open(file)
      try {
        const { size } = await handle.stat()
        return await use(async (at, length) => {
          const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - at)))
          await handle.read(buffer, 0, buffer.length, at)
          return buffer
        }, size)
      } finally {
        await handle.close()
      }
    },
    catch: (cause) => faulty(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  })

/** The directory; undefined: there is none, so it was cut off. */
const directory = (file: string) =>
  read(file, async (part, size) => {
    const from = Math.max(0, size - endLength - longestComment)
    const tail = await part(from, size - from)
    const signature = Buffer.alloc(4)
    signature.writeUInt32LE(endSignature)
    const at = tail.lastIndexOf(signature)
    if (at === -1 || tail.length < at + endLength) return undefined
    return part(tail.readUInt32LE(at + 16), tail.readUInt32LE(at + 12))
  })

const entriesOf = (bytes: Buffer): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let at = 0
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === entrySignature && entries.length < mostEntries) {
    const nameLength = bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString("utf8", at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      compressed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42)
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

const chosen = (entries: ReadonlyArray<Entry>, name: string | undefined) => {
  const names = entries.map((entry) => entry.name).slice(0, 20).join(", ")
  if (name !== undefined) {
    const entry = entries.find((each) => each.name === name)
    return entry === undefined ? Effect.fail(faulty(`has no entry ${name}, but ${names}`)) : Effect.succeed(entry)
  }
  const [entry, another] = entries.filter((each) => readable.test(each.name))
  if (entry === undefined) return Effect.fail(faulty(`has no entry that can be read, but ${names}`))
  return another === undefined
    ? Effect.succeed(entry)
    : Effect.fail(faulty(`has several entries (${names}); name one by query.entry`))
}

/** The name of the entry, and its bytes as they were before they were put in. */
export const find = Effect.fnUntraced(function*(file: string, name: string | undefined) {
  const bytes = yield* directory(file)
  if (bytes === undefined) return yield* new SourceFault({ reason: "the zip file is cut off", lasting: false })
  const entry = yield* chosen(entriesOf(bytes), name)
  if (entry.encrypted) return yield* faulty(`has encrypted ${entry.name}`)
  if (entry.compressed === 0xffff_ffff || entry.at === 0xffff_ffff) return yield* faulty("is too large")
  if (entry.method !== 0 && entry.method !== 8) {
    return yield* faulty(`has compressed ${entry.name} by method ${entry.method}`)
  }
  const local = yield* read(file, (part) => part(entry.at, 30))
  if (local === undefined || local.length < 30 || local.readUInt32LE(0) !== localSignature) {
    return yield* faulty(`has no ${entry.name} where it says`)
  }
  const start = entry.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const bytesOf = (): Readable => {
    const stored = entry.compressed === 0
      ? Readable.from([])
      : createReadStream(file, { start, end: start + entry.compressed - 1 })
    return entry.method === 0 ? stored : pipeline(stored, createInflateRaw(), () => {})
  }
  return { name: entry.name, bytesOf }
})
