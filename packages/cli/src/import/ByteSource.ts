/**
 * The bytes of an import file or of standard input, decompressed when they are gzip. What decides is how they begin, not
 * what the file is called.
 */
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Sink, Stream } from "effect"
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"
import { whyNot } from "../WhyNot.ts"
import { ImportFileFault } from "./ImportFileFault.ts"

/** The name that stands for standard input. */
export const standardInput = "-"

/** A hundred rows or so: what is read from one chunk is checked before anything else happens, and chunks stay in memory for a while. */
const chunkSize = 64 * 1024

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** The bytes as they are stored; `onBytes` hears how many more were read. */
const stored = (file: string, onBytes: (count: number) => Effect.Effect<void>) =>
  NodeStream.fromReadable<Uint8Array, ImportFileFault>({
    evaluate: () => file === standardInput ? process.stdin : createReadStream(file, { highWaterMark: chunkSize }),
    onError: (error) => new ImportFileFault({ file, reason: `cannot be read: ${whyNot(error)}` }),
    closeOnDone: file !== standardInput
  }).pipe(Stream.tap((bytes) => onBytes(bytes.length)))

/** Enough of the start to tell gzip by. */
const head = Sink.reduceWhile(
  () => new Uint8Array(0),
  (bytes: Uint8Array) => bytes.length < 2,
  (bytes, more: Uint8Array) => Buffer.concat([bytes, more])
)

/** The bytes of a file that was opened somewhere else, decompressed when they are gzip. `file`: what it is called. */
export const decompressed = <E>(
  file: string,
  stored: Stream.Stream<Uint8Array, E>
): Stream.Stream<Uint8Array, E | ImportFileFault> =>
  Stream.unwrap(Effect.gen(function*() {
    const [start, rest] = yield* stored.pipe(Stream.peel(head))
    const bytes = Stream.concat(Stream.succeed(start), rest)
    return isGzip(start)
      ? NodeStream.pipeThroughDuplex(bytes, {
        evaluate: () => createGunzip({ chunkSize }),
        onError: (error) => new ImportFileFault({ file, reason: `cannot be decompressed: ${reasonOf(error)}` })
      })
      : bytes
  }))

export const read = (
  file: string,
  onBytes: (count: number) => Effect.Effect<void> = () => Effect.void
): Stream.Stream<Uint8Array, ImportFileFault> => decompressed(file, stored(file, onBytes))
