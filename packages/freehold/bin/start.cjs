"use strict"
const { availableParallelism } = require("node:os")

/**
 * How much requests, or rows, may leave behind before it is collected, in MiB of each half of the young generation. All of a server
 * stands still meanwhile, for as long as it takes to copy what is in use, and of an import nearly all is garbage at once: on a machine with
 * much memory Node leaves 64. docs/decisions/0057-a-small-young-generation.md.
 */
const youngHalf = "--max-semi-space-size=8"

/**
 * V8's threads, which compile and collect beside the server: it has a processor to itself. Node has four of them on any machine, so
 * that on a small one it waits for its own.
 */
const helpers = `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() - 1))}`

const options = `${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS}`

const [, , command] = process.argv

// Node takes its flags with either sign.
const flags = [
  ...["serve", "worker", "import", "source"].includes(command) && !/semi[-_]space[-_]size/.test(options) ? [youngHalf] : [],
  ...command === "serve" && !/v8[-_]pool[-_]size/.test(options) ? [helpers] : []
]
const canStartAnew = process.execve !== undefined && process.platform !== "win32" && process.channel === undefined

// It is decided when Node starts, so the same process starts anew.
if (flags.length > 0 && canStartAnew) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)])
}

// What was compiled is kept, which makes every later start faster.
require("node:module").enableCompileCache()
import("../dist/Freehold.js").then(({ main }) => main())
