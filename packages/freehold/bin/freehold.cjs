#!/usr/bin/env node
"use strict"
// Every Node there is reads this file, so it is written in the language of the oldest; `start.cjs` is not.
var needed = require("../package.json").engines.node.replace(">=", "")
var wanted = needed.split(".").map(Number)
var found = process.versions.node.split(".").map(Number)

if (found[0] > wanted[0] || (found[0] === wanted[0] && found[1] >= wanted[1])) {
  require("./start.cjs")
} else {
  console.error(
    "freehold: needs Node " + needed + " or newer, and this is Node " + process.versions.node
      + "; `npx -y -p node@24 -p freehold freehold` brings its own"
  )
  process.exitCode = 2
}
