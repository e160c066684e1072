/** The address of replicas: hosts, ports, and what may be asked of them. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import * as ReplicaHosts from "../../src/database/ReplicaHosts.ts"

const hosts = (address: string) =>
  Option.map(
    ReplicaHosts.parse(address),
    (found) => found.map(({ name, url }) => [name, Redacted.value(url)])
  )

describe("ReplicaHosts", () => {
  it("is one host, or several under one user and database", () => {
    assert.deepStrictEqual(
      hosts("postgres://me:p%40ss@db2/freehold"),
      Option.some([["db2:5432", "postgres://me:p%40ss@db2/freehold"]])
    )
    assert.deepStrictEqual(
      hosts("postgresql://me:x@db2:5433,db3,[::1]:5434/freehold?sslmode=require&target_session_attrs=prefer-standby"),
      Option.some([
        ["db2:5433", "postgresql://me:x@db2:5433/freehold?sslmode=require"],
        ["db3:5432", "postgresql://me:x@db3/freehold?sslmode=require"],
        ["[::1]:5434", "postgresql://me:x@[::1]:5434/freehold?sslmode=require"]
      ])
    )
  })

  it.each([
    "db2",
    "http://db2/freehold",
    "postgres://me@/freehold",
    "postgres://me@db2,/freehold",
    "postgres://me@db2:port/freehold",
    "postgres://me@db2/freehold?target_session_attrs=primary",
    "postgres://me@db2/freehold?target_session_attrs=read-write"
  ])("is not %s", (address) => {
    assert.isTrue(Option.isNone(ReplicaHosts.parse(address)))
  })
})
