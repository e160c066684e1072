/**
 * How many tokens texts have, to the token: counted by o200k's own tokenizer in a thread of its own, since its vocabulary takes a third of a
 * second to be read and 80 MB to be kept. The thread begins when it is needed and ends when it was not for a while.
 *
 * What is not counted in time is estimated (`TokenEstimate`), which is a little more.
 */
import { Context, Duration, Effect } from "effect"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Answer, Question } from "./TokenCounter.ts"
import { tokensIn } from "./TokenEstimate.ts"

type Counts = ReadonlyArray<number>

/** A thread that nobody asked for so long ends. */
const idleMillis = 60_000

/** Its start included. */
const patience = Duration.seconds(3)

/** Several times what the vocabulary takes. */
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

const program = new URL(`./TokenCounter${extname(import.meta.url)}`, import.meta.url)

/** One thread for all who ask, while anybody does. */
class Counting {
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #last = 0
  readonly #waiting = new Map<number, (counts: Answer["counts"]) => void>()

  /** Answers once, unless the thread ends before; answers how to wait no longer. */
  ask(texts: ReadonlyArray<string>, told: (counts: Answer["counts"]) => void): () => void {
    const id = ++this.#last
    this.#waiting.set(id, told)
    const question: Question = { id, texts }
    const thread = this.#running()
    // While somebody waits the process does not end.
    thread.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(question)
    return () => this.#leave(id)
  }

  /** Whoever waits is told that nothing was counted. */
  end(): void {
    const thread = this.#thread
    this.#thread = null
    clearTimeout(this.#idle)
    void thread?.terminate()
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const told of waiting) told([])
  }

  #leave(id: number): void {
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#thread?.unref()
  }

  #running(): Worker {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.end(), idleMillis).unref()
    return this.#thread ??= this.#started()
  }

  #started(): Worker {
    const thread = new Worker(program, { resourceLimits: memory })
    thread.on("message", ({ counts, id }: Answer) => {
      const told = this.#waiting.get(id)
      this.#leave(id)
      told?.(counts)
    })
    const ended = () => {
      if (this.#thread === thread) this.end()
    }
    return thread.once("error", ended).once("exit", ended)
  }
}

const make = () => {
  const counting = new Counting()
  return {
    count: (texts: ReadonlyArray<string>): Effect.Effect<Counts> =>
      Effect.callback<Answer["counts"]>((resume) => {
        const leave = counting.ask(texts, (counts) => resume(Effect.succeed(counts)))
        return Effect.sync(leave)
      }).pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () =>
            Effect.sync((): Answer["counts"] => {
              counting.end()
              return []
            })
        }),
        Effect.map((counts) => texts.map((text, index) => counts[index] ?? tokensIn(text)))
      )
  }
}

/** Counts for this process. */
export const TokenCount = Context.Reference<{
  /** How many tokens each of the texts has. */
  readonly count: (texts: ReadonlyArray<string>) => Effect.Effect<Counts>
}>("@freehold/mcp-host/TokenCount", { defaultValue: make })
