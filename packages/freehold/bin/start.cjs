"use strict"
/**
 * How much requests may leave behind before it is collected, in MiB of each half of the young generation. All of a server
 * stands still meanwhile, for as long as it takes to copy what is in use: on a machine with much memory Node leaves 64.
 * docs/decisions/0057-a-small-young-generation.md.
 */
const youngHalf = "--max-semi-space-size=8"

// Node takes its flags with either sign.
const isChosen = /semi[-_]space[-_]size/.test(`${process.execArgv.join(" ")} ${process.env.NODE_OPTIONS}`)
const canStartAnew = process.execve !== undefined && process.platform !== "win32" && process.channel === undefined

// It is decided when Node starts, so the same process starts anew.
if (process.argv[2] === "serve" && !isChosen && canStartAnew) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, youngHalf, ...process.argv.slice(1)])
}

// What was compiled is kept, which makes every later start faster.
require("node:module").enableCompileCache()
import("../dist/Freehold.js").then(({ main }) => main())
