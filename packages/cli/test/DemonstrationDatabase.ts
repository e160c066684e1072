/** Databases with the demonstration in them. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Environment, serve } from "./Freehold.ts"
import { furnished, type FurnishedDatabase } from "./FurnishedDatabase.ts"

/** Of every command about such a database: they share its keys. */
export const settings = {
  FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  FREEHOLD_DATA_DIR: `${import.meta.dirname}/../node_modules/.cache/demonstration`
}

/** The key of the demonstration, once there is such a database. */
export const demoKey = async (): Promise<string> =>
  (await readFile(join(settings.FREEHOLD_DATA_DIR, "demo-key"), "utf8")).trim()

/** `env`: the settings of the servers that will use it. */
export const demonstrationDatabase = (env: Environment): Promise<FurnishedDatabase> =>
  furnished({
    name: "demo",
    furnish: async (url) => {
      await (await serve(["--demo", "--no-worker"], { ...env, DATABASE_URL: url })).stop()
    }
  })
