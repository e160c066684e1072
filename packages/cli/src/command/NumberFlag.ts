/** Numbers as flags of commands: a text that is none is refused by the flag's own rule, as a number that breaks it. */
import { Option, Schema } from "effect"
import { Flag } from "effect/cli"

interface Range {
  readonly least: number
  /** Left out: any number above is one too. */
  readonly most?: number
}

const ruleOf = ({ least, most }: Range, text: string): string =>
  most === undefined && !(Number(text) > Number.MAX_SAFE_INTEGER)
    ? `a whole number of at least ${least}`
    : `a whole number from ${least} to ${most ?? Number.MAX_SAFE_INTEGER}`

const within = ({ least, most = Number.MAX_SAFE_INTEGER }: Range) => (text: string): Option.Option<number> => {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? Option.some(number) : Option.none()
}

/** `--NAME N`, a whole number that is not negative. */
export const wholeNumberFlag = (name: string, range: Range) =>
  Flag.String(name).pipe(
    Flag.withMetavar("N"),
    Flag.filterMap(within(range), (text) => `Expected ${ruleOf(range, text)}, got ${text}`)
  )

const finite = Schema.decodeUnknownOption(Schema.FiniteFromString)

/** `--NAME N`, any number. */
export const numberFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("N"),
    Flag.filterMap(finite, (text) => `Expected a number, got ${text}`)
  )
