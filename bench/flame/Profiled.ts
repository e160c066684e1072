/**
 * Loaded before a server (`node --import`): profiles it between two questions, each a line of JSON on standard input, and
 * answers each with a line. The profile is written to the file that the second one names.
 */
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { createInterface } from "node:readline"

/** `begin`: every so many microseconds a sample is taken; `end`: where the profile is written. */
export type Question = { readonly begin: number } | { readonly end: string }

const session = new Session()
session.connect()

const begin = async (interval: number): Promise<void> => {
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval })
  await session.post("Profiler.start")
}

const end = async (file: string): Promise<void> => {
  const { profile } = await session.post("Profiler.stop")
  writeFileSync(file, JSON.stringify(profile))
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const question: Question = JSON.parse(line)
  const done = "begin" in question ? begin(question.begin) : end(question.end)
  void done.then(() => process.stdout.write("null\n"))
})
