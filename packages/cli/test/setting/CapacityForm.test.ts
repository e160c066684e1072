/** The forms of the settings that say how much a process takes. */
import { defaultSizes } from "@freehold/adapters-pg/database/Pools"
import { Option } from "effect"
import { assert, describe, it } from "vitest"
import * as CapacityForm from "../../src/setting/CapacityForm.ts"

describe("CapacityForm", () => {
  it("takes pools by their names, and leaves the others as they are", () => {
    assert.deepStrictEqual(
      CapacityForm.poolSizes.parse("ledger=4, reads = 3"),
      Option.some({ ...defaultSizes, ledger: 4, reads: 3 })
    )
    for (const wrong of ["", "ledger", "ledger=0", "ledger=x", "ledger=4,ledger=5", "other=3", "ledger=1001"]) {
      assert.isTrue(Option.isNone(CapacityForm.poolSizes.parse(wrong)), wrong)
    }
  })

  it("takes places of all and of one", () => {
    assert.deepStrictEqual(
      CapacityForm.places.parse("read=12/2,write=3/3"),
      Option.some({
        read: { inAll: 12, perOrganization: 2, besideBusier: 6 },
        write: { inAll: 3, perOrganization: 3, besideBusier: 3 }
      })
    )
    for (const wrong of ["read=2", "read=1/2", "read=2/0", "other=2/1", "read=2/1,read=2/1"]) {
      assert.isTrue(Option.isNone(CapacityForm.places.parse(wrong)), wrong)
    }
  })

  it("takes settings of the embedded PostgreSQL that go by the machine, and no others", () => {
    assert.deepStrictEqual(
      CapacityForm.tuning.parse("shared_buffers=2GB, jit = on,random_page_cost=1.5"),
      Option.some({ shared_buffers: "2GB", jit: "on", random_page_cost: "1.5" })
    )
    for (
      const wrong of ["", "fsync=off", "shared_buffers=2", "jit=yes", "work_mem=1MB,work_mem=2MB", "constructor=1"]
    ) {
      assert.isTrue(Option.isNone(CapacityForm.tuning.parse(wrong)), wrong)
    }
  })

  it("takes what a machine has", () => {
    assert.deepStrictEqual(
      CapacityForm.machine.parse("memory=64GB,processors=16"),
      Option.some({ memory: 64 * 2 ** 30, processors: 16, disk: null })
    )
    assert.deepStrictEqual(
      CapacityForm.machine.parse("disk=2TB"),
      Option.some({ memory: null, processors: null, disk: 2 * 2 ** 40 })
    )
    for (const wrong of ["", "memory=64", "memory=0GB", "processors=0", "processors=two", "cores=4", "disk=1PB"]) {
      assert.isTrue(Option.isNone(CapacityForm.machine.parse(wrong)), wrong)
    }
  })

  it("takes what a connection begins with, and a number of processes", () => {
    assert.deepStrictEqual(CapacityForm.startup.parse("none"), Option.some([]))
    assert.deepStrictEqual(
      CapacityForm.startup.parse("jit,statement_timeout"),
      Option.some(["jit", "statement_timeout"])
    )
    assert.deepStrictEqual(
      CapacityForm.startup.parse("jit,temp_file_limit"),
      Option.some(["jit", "temp_file_limit"])
    )
    assert.isTrue(Option.isNone(CapacityForm.startup.parse("search_path")))
    assert.deepStrictEqual(CapacityForm.processes.parse("4"), Option.some(4))
    for (const wrong of ["0", "65", "-1", "two"]) {
      assert.isTrue(Option.isNone(CapacityForm.processes.parse(wrong)), wrong)
    }
  })
})
