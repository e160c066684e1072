#!/usr/bin/env node
/** The entry point. Everything else is loaded once Node keeps compiled code, which makes every later start faster. */
import { enableCompileCache } from "node:module"

enableCompileCache()
const { main } = await import("./Freehold.ts")
main()
