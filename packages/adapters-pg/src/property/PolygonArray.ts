/**
 * Polygons as PostgreSQL receives them in binary (`array_recv`, `poly_recv`): to write and to read this takes a fraction of what the digits of as
 * many numbers take. They are written one after the other, so that others can have their turn in between.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { Points } from "./PolygonGrid.ts"

/** The numbers of the types `polygon` and `polygon[]`, the same in every database. */
const polygonOid = 604
const arrayOid = 1027

PgTypes.register<Uint8Array>(arrayOid, { encode: Result.succeed, decode: Result.succeed })

const headLength = 20

export class PolygonArray {
  readonly unitsInADegree: number
  #bytes = Buffer.allocUnsafe(64 * 1024)
  #end = headLength
  #count = 0
  #hasNull = false

  constructor(unitsInADegree: number) {
    this.unitsInADegree = unitsInADegree
  }

  /** null: NULL stands in its place. */
  add(points: Points | null): void {
    const length = points === null ? -1 : 4 + 8 * points.length
    this.#reserve(4 + Math.max(length, 0))
    this.#end = this.#bytes.writeInt32BE(length, this.#end)
    this.#count++
    if (points === null) {
      this.#hasNull = true
      return
    }
    let end = this.#bytes.writeInt32BE(points.length / 2, this.#end)
    for (const coordinate of points) end = this.#bytes.writeDoubleBE(coordinate * this.unitsInADegree, end)
    this.#end = end
  }

  /** Of the type `polygon[]`. */
  get parameter(): PgTypes.Parameter {
    const dimensions = 1
    const lowerBound = 1
    const head = [dimensions, this.#hasNull ? 1 : 0, polygonOid, this.#count, lowerBound]
    for (const [index, number] of head.entries()) this.#bytes.writeInt32BE(number, 4 * index)
    const value = this.#bytes.subarray(0, this.#end)
    return { [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId, oid: arrayOid, value }
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#end + length))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}
