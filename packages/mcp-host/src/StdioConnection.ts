/**
 * Standard input and output as the SDK's transport, which answers what it has taken before it closes.
 *
 * The SDK's own drops whatever is under way when its input ends, so that `echo '...' | freehold mcp` would answer nothing; and a last
 * line that does not end, as `printf` writes it.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse
} from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import type { Readable, Writable } from "node:stream"

type Message = Parameters<StdioServerTransport["send"]>[0]

/** No request takes longer: research and drafts have half a minute. */
const patienceMillis = 60_000

/** The request that a notification takes back. */
const cancelledBy = (message: Message): unknown =>
  isJSONRPCNotification(message) && message.method === "notifications/cancelled"
    ? message.params?.["requestId"]
    : undefined

export class StdioConnection extends StdioServerTransport {
  readonly #input: Readable
  /** Resolves when the connection is over, from whichever side it was closed. */
  readonly over = Promise.withResolvers<void>()
  /** Ids of the requests that were taken and not answered. */
  readonly #open = new Set<unknown>()
  #answered: () => void = () => {}
  #ending: Promise<void> | undefined

  constructor(input: Readable = process.stdin, output: Writable = process.stdout) {
    super(input, output)
    this.#input = input
  }

  override start(): Promise<void> {
    // Before the SDK hears that it is the end.
    this.#input.once("end", () => this.#input.emit("data", Buffer.from("\n")))
    const deliver = this.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport of the SDK, no target of events
    this.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#open.add(message.id)
      this.#settle(cancelledBy(message))
      deliver?.(message)
    }
    return super.start()
  }

  override send(message: Message): Promise<void> {
    const sent = super.send(message)
    return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
      ? sent.finally(() => this.#settle(message.id))
      : sent
  }

  /** The input ended or the output broke: closes once everything is answered. */
  override close(): Promise<void> {
    this.#ending ??= this.#whenAnswered().then(() => super.close()).finally(this.over.resolve)
    return this.#ending
  }

  /** Closes whatever is under way. */
  abandon(): Promise<void> {
    this.#open.clear()
    this.#answered()
    return this.close()
  }

  #settle(id: unknown): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#answered()
  }

  #whenAnswered(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((resolve) => {
      this.#answered = resolve
      setTimeout(resolve, patienceMillis).unref()
    })
  }
}
