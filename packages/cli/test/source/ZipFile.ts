/** Zip files for tests: entries, and the directory behind them. */
import { deflateRawSync } from "node:zlib"

/** A zip file of names and contents in turn, as any program writes it: deflated, and stored where there is nothing. */
export function zip(...parts: ReadonlyArray<string>): Buffer {
  const locals: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let at = 0
  for (let index = 0; index < parts.length; index += 2) {
    const name = Buffer.from(parts[index] ?? "")
    const body = Buffer.from(parts[index + 1] ?? "")
    const packed = body.length === 0 ? body : deflateRawSync(body)
    const method = body.length === 0 ? 0 : 8
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(body.length, 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(body.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    locals.push(local, name, packed)
    directory.push(entry, name)
    at += 30 + name.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(parts.length / 2, 8)
  end.writeUInt16LE(parts.length / 2, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, list, end])
}
