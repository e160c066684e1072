/**
 * Log lines that nobody outside can make long or let loose on a terminal: what is logged of a request, of a statement or of
 * another server's answer is of any length and content.
 */
import { Context, Formatter, Logger, Option, Tracer } from "effect"
import { escaped, escapedLine } from "./Terminal.ts"

/** Most characters of one line. */
export const longestLine = 16_384

const cut = (text: string): string =>
  text.length <= longestLine ? text : `${text.slice(0, longestLine)}... (${text.length} characters)`

const short = (line: string, level: string, timestamp: string): string =>
  line.length <= longestLine
    ? line
    : JSON.stringify({ message: "a line too long", level, timestamp, beginning: cut(line) })

/** The trace and the span in which a line is logged, under the names that tracing backends look for. */
const traceOf = ({ fiber }: Logger.Options<unknown>): Readonly<Record<string, string>> => {
  const span = Context.getOption(fiber.context, Tracer.ParentSpan)
  return Option.isNone(span) ? {} : { trace_id: span.value.traceId, span_id: span.value.spanId }
}

/** For programs: one JSON document a line. `traced`: traces are sent somewhere, so that their ids mean something. */
export const json = (traced: boolean): Logger.Logger<unknown, string> =>
  Logger.make((options) => {
    const facts = Logger.formatStructured.log(options)
    const line = Formatter.formatJson(traced ? { ...facts, ...traceOf(options) } : facts)
    return escaped(short(line, facts.level, facts.timestamp))
  })

const words = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value) ?? String(value)

/** For people: time, level, message and what belongs to it; below it the cause, where there is one. */
export const readable: Logger.Logger<unknown, string> = Logger.map(
  Logger.formatStructured,
  ({ annotations, cause, level, message, timestamp }) => {
    const told = [message].flat().map(words)
    const facts = Object.entries(annotations).map(([name, value]) => `${name}=${words(value)}`)
    const line = escapedLine(`[${timestamp.slice(11, 23)}] ${level}: ${[...told, ...facts].join(" ")}`)
    return cut(cause === undefined ? line : `${line}\n${escaped(cause)}`)
  }
)
