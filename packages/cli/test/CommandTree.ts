/** The commands of `freehold` as it has them, for tests that take each. */
import { Effect } from "effect"
import type { Command } from "effect/cli"
import { freehold } from "../src/Freehold.ts"

/** With everything that stands below it. */
export const whole = await Effect.runPromise(freehold(() => true))

const treeOf = (command: Command.Command.Any, path: ReadonlyArray<string>): ReadonlyArray<
  readonly [path: string, command: Command.Command.Any]
> => [
  [path.join(" "), command],
  ...command.subcommands.flatMap((group) => group.commands.flatMap((each) => treeOf(each, [...path, each.name])))
]

/** Every command and what stands below it, by the words that call it. */
export const commands = treeOf(whole, [])

/** What an example hands to the command; null: it hands it to a shell, which has to do more. */
const wordsOf = (example: string): ReadonlyArray<string> | null => {
  const called = /(?:^| )freehold (.+)$/.exec(example)?.[1] ?? ""
  if (/[|<>]/.test(called)) return null
  return Array.from(
    called.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? ""
  )
}

const begins = (words: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  path.every((word, index) => word === words[index])

/**
 * Every command that does something itself, with an example of its own that calls it; null: none does without a shell. A group
 * alone has only examples of what stands below it.
 */
export const called = commands.flatMap(([name, command]) => {
  const path = name.split(" ")
  const below = new Set(command.subcommands.flatMap((group) => group.commands.map((each) => each.name)))
  const own = command.examples.map((example) => wordsOf(example.command)).filter((words) =>
    words === null || begins(words, path) && !below.has(words[path.length] ?? "")
  )
  return name === "" || own.length === 0 ? [] : [{ name, words: own.find((words) => words !== null) ?? null }]
})
