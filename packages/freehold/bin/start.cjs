"use strict"
const { availableParallelism } = require("node:os")

/**
 * How much requests may leave behind before it is collected, in MiB of each half of the young generation. All of a server
 * stands still meanwhile, for as long as it takes to copy what is in use: on a machine with much memory Node leaves 64.
 * docs/decisions/0057-a-small-young-generation.md.
 */
const youngHalf = "--max-semi-space-size=8"

/**
 * V8's threads, which compile and collect beside the server: it has a processor to itself. Node has four of them on any machine, so
 * that on a small one it waits for its own.
 */
const helpers = `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`

const options = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS}`

// Node takes its flags with either sign.
const flags = [
  .../semi[-_]space[-_]size/.test(options) ? [] : [youngHalf],
  .../v8[-_]pool[-_]size/.test(options) ? [] : [helpers]
]
const canStartAnew = process.execve !== undefined && process.platform !== "win32" && process.channel === undefined

// It is decided when Node starts, so the same process starts anew.
if (process.argv[2] === "serve" && flags.length > 0 && canStartAnew) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)])
}

// What was compiled is kept, which makes every later start faster.
require("node:module").enableCompileCache()
import("../dist/Freehold.js").then(({ main }) => main())
