/** The other CSV file that a map looks up in. */
import { Effect, Stream } from "effect"
import * as ByteSource from "./ByteSource.ts"
import { shown } from "./CellValue.ts"
import * as CsvRecords from "./CsvRecords.ts"
import { ImportFileFault } from "./ImportFileFault.ts"

/** Its rows: the cell `take` by the cell `from`. */
export const load = Effect.fnUntraced(function*(file: string, from: string, take: string) {
  const table = new Map<string, string>()
  let indexes: readonly [number, number] | undefined
  yield* Stream.runForEachArray(CsvRecords.read(file, ",", ByteSource.read(file)), (records) =>
    Effect.gen(function*() {
      for (const record of records) {
        if (record._tag === "Broken") {
          return yield* new ImportFileFault({ file, reason: `line ${record.line} ${record.reason}` })
        }
        const cells = record.value.map((cell) => cell.trim())
        if (indexes === undefined) {
          indexes = [cells.indexOf(from), cells.indexOf(take)]
          const missing = indexes[0] === -1 ? from : indexes[1] === -1 ? take : undefined
          if (missing !== undefined) {
            return yield* new ImportFileFault({ file, reason: `has no column ${shown(missing)}` })
          }
          continue
        }
        const key = cells[indexes[0]] ?? ""
        const value = cells[indexes[1]] ?? ""
        // Nothing is looked up by nothing.
        if (key === "") continue
        if ((table.get(key) ?? value) !== value) {
          return yield* new ImportFileFault({
            file,
            reason: `line ${record.line}: a second, different ${take} for ${shown(key)}`
          })
        }
        table.set(key, value)
      }
    }))
  return table
})
