/** What the rules say of any machine. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { memoryWithin, thisMachine } from "../../src/tuning/ThisMachine.ts"
import {
  type InForce,
  isTuned,
  isValue,
  judge,
  type Machine,
  type Tuned,
  type TunedName,
  tuningFor
} from "../../src/tuning/Tuning.ts"

const megabyte = 2 ** 20
const gigabyte = 2 ** 30

const bytesOf = (text: string): number => {
  const [, digits = "", unit = ""] = /^(\d+)(kB|MB|GB)$/.exec(text) ?? []
  return Number(digits) * ({ kB: 1024, MB: megabyte, GB: gigabyte }[unit] ?? Number.NaN)
}

/** What a server that was started with them runs with. */
const taken = (tuned: Tuned): InForce =>
  new Map(
    Object.entries(tuned).flatMap(([name, text]) =>
      isTuned(name) ? [[name, /\d(kB|MB|GB)$/.test(text) ? bytesOf(text) : text] as const] : []
    )
  )

const machines: fc.Arbitrary<Machine> = fc.record({
  memory: fc.option(fc.integer({ min: 128, max: 4_000_000 }).map((megabytes) => megabytes * megabyte + 4096)),
  processors: fc.option(fc.integer({ min: 1, max: 256 })),
  disk: fc.option(fc.integer({ min: 1, max: 100_000 }).map((gigabytes) => gigabytes * 1e9)),
  connections: fc.integer({ min: 20, max: 5000 }),
  shared: fc.boolean(),
  lz4: fc.boolean()
})

const known = (memory: number, machine: Partial<Machine> = {}): Machine => ({
  memory,
  processors: 4,
  disk: 200e9,
  connections: 100,
  shared: false,
  lz4: true,
  ...machine
})

describe("tuningFor", () => {
  it("says for a machine of 16 GB what people would", () => {
    assert.deepStrictEqual(tuningFor(known(16 * gigabyte)), {
      shared_buffers: "4GB",
      effective_cache_size: "12GB",
      work_mem: "20MB",
      maintenance_work_mem: "1GB",
      max_wal_size: "8GB",
      min_wal_size: "1GB",
      max_slot_wal_keep_size: "38146MB",
      wal_compression: "lz4",
      random_page_cost: "1.1",
      jit: "off",
      max_parallel_workers: "4"
    })
    assert.deepInclude(tuningFor(known(gigabyte / 2, { disk: 20e9, shared: true, lz4: false, processors: 1 })), {
      shared_buffers: "128MB",
      effective_cache_size: "256MB",
      work_mem: "4MB",
      maintenance_work_mem: "64MB",
      max_wal_size: "953MB",
      max_slot_wal_keep_size: "3814MB",
      wal_compression: "off",
      max_parallel_workers: "2"
    })
  })

  it("says nothing of what goes by a size that is not known", () => {
    assert.deepStrictEqual(Object.keys(tuningFor(known(1, { memory: null, processors: null, disk: null }))), [
      "max_wal_size",
      "min_wal_size",
      "wal_compression",
      "random_page_cost",
      "jit"
    ])
  })

  it("says what PostgreSQL reads, and what is judged to fit", () => {
    fc.assert(fc.property(machines, (machine) => {
      const tuned = tuningFor(machine)
      for (const [name, text] of Object.entries(tuned)) assert.isTrue(isTuned(name) && isValue(name, text), text)
      const { judged, misfits } = judge(machine, taken(tuned))
      assert.deepStrictEqual(misfits, [])
      assert.strictEqual(judged, Object.keys(tuned).length)
    }))
  })

  it("never gives away more memory than there is, however many connections sort at once", () => {
    fc.assert(fc.property(machines, (machine) => {
      const { connections, memory } = machine
      // Below this the least that PostgreSQL works with is more than its share.
      fc.pre(memory !== null && memory >= Math.max(gigabyte, 32 * megabyte * connections))
      const found = taken(tuningFor(machine))
      const bytes = (name: TunedName): number => Number(found.get(name))
      const vacuuming = 4 * bytes("maintenance_work_mem")
      const most = bytes("shared_buffers") + vacuuming + connections * bytes("work_mem")
      assert.isAtMost(most, memory * 3 / 4)
      assert.isAtMost(bytes("effective_cache_size"), memory)
    }))
  })

  it("gives no setting less on a machine with more memory", () => {
    fc.assert(fc.property(machines, fc.integer({ min: 0, max: 100_000 }), (machine, more) => {
      fc.pre(machine.memory !== null)
      const small = taken(tuningFor(machine))
      const large = taken(tuningFor({ ...machine, memory: machine.memory + more * megabyte }))
      for (const name of ["shared_buffers", "effective_cache_size", "work_mem", "maintenance_work_mem"] as const) {
        assert.isAtLeast(Number(large.get(name)), Number(small.get(name)))
      }
    }))
  })
})

describe("judge", () => {
  /** What a PostgreSQL has that nobody has set. */
  const untouched: InForce = new Map<TunedName, number | string>([
    ["shared_buffers", 128 * megabyte],
    ["effective_cache_size", 4 * gigabyte],
    ["work_mem", 4 * megabyte],
    ["maintenance_work_mem", 64 * megabyte],
    ["max_wal_size", gigabyte],
    ["min_wal_size", 80 * megabyte],
    ["max_slot_wal_keep_size", -1],
    ["wal_compression", "off"],
    ["random_page_cost", "4"],
    ["jit", "on"],
    ["max_parallel_workers", "8"]
  ])

  it("names what does not fit, with what fits and why", () => {
    const { judged, misfits } = judge(known(16 * gigabyte), untouched)
    assert.strictEqual(judged, 11)
    assert.deepStrictEqual(misfits.map(({ best, found, name }) => [name, found, best]), [
      ["shared_buffers", "128MB", "4GB"],
      ["effective_cache_size", "4GB", "12GB"],
      ["work_mem", "4MB", "20MB"],
      ["maintenance_work_mem", "64MB", "1GB"],
      ["max_wal_size", "1GB", "8GB"],
      ["max_slot_wal_keep_size", "-1", "38146MB"],
      ["wal_compression", "off", "lz4"],
      ["random_page_cost", "4", "1.1"],
      ["jit", "on", "off"]
    ])
    for (const { why } of misfits) assert.isNotEmpty(why)
  })

  it("takes a compressed log where that is cheap, and none where it is not", () => {
    const misfitsOf = (value: string, lz4: boolean) =>
      judge(known(gigabyte, { lz4 }), new Map([["wal_compression", value]])).misfits.map(({ best }) => best)
    assert.deepStrictEqual(["lz4", "zstd"].flatMap((value) => misfitsOf(value, true)), [])
    assert.deepStrictEqual(["off", "on", "pglz"].flatMap((value) => misfitsOf(value, true)), ["lz4", "lz4", "lz4"])
    assert.deepStrictEqual(misfitsOf("off", false), [])
    assert.deepStrictEqual(misfitsOf("pglz", false), ["off"])
  })

  it("judges what needs no size where no size is known, and what is more than there is", () => {
    const { judged, misfits } = judge(known(1, { memory: null, processors: null, disk: null }), untouched)
    assert.strictEqual(judged, 5)
    assert.deepStrictEqual(misfits.map(({ name }) => name), [
      "max_wal_size",
      "wal_compression",
      "random_page_cost",
      "jit"
    ])
    const greedy: InForce = new Map([["shared_buffers", 3 * gigabyte], ["work_mem", gigabyte]])
    assert.deepStrictEqual(judge(known(4 * gigabyte), greedy).misfits.map(({ best, name }) => [name, best]), [
      ["shared_buffers", "1GB"],
      ["work_mem", "5MB"]
    ])
  })
})

describe("thisMachine", () => {
  it("has the memory of its container, where that has less than the machine", () => {
    assert.strictEqual(memoryWithin(16 * gigabyte, 0), 16 * gigabyte)
    assert.strictEqual(memoryWithin(16 * gigabyte, 2 * gigabyte), 2 * gigabyte)
    assert.strictEqual(memoryWithin(16 * gigabyte, 2 ** 63), 16 * gigabyte)
  })

  it("has processors, memory and a disk", () => {
    const { disk, memory, processors } = thisMachine(import.meta.dirname)
    for (const amount of [disk, memory, processors]) assert.isAbove(amount, 0)
  })
})

describe("isValue", () => {
  it("takes what PostgreSQL reads in one way", () => {
    assert.isTrue(isValue("shared_buffers", "128MB"))
    assert.isTrue(isValue("random_page_cost", "1.25"))
    assert.isTrue(isValue("wal_compression", "zstd"))
    for (const text of ["128", "0MB", "128mb", "1.5GB", "1GB -c fsync=off", ""]) {
      assert.isFalse(isValue("shared_buffers", text), text)
    }
    assert.isFalse(isValue("jit", "true"))
    assert.isFalse(isValue("random_page_cost", "-1"))
  })
})
