/**
 * One setting: its name, what it decides, its form, its default, and how it is read from the environment.
 *
 * *Gotchas.* A fault never shows the value where the value may hold a secret.
 */
import { Config, Effect, Option, Runtime, Schema } from "effect"
import { type SettingForm, shownOf } from "./SettingForm.ts"

/** A setting is missing or does not parse. */
export class SettingFault extends Schema.TaggedError<SettingFault>()("SettingFault", {
  setting: Schema.String,
  expected: Schema.String,
  found: Schema.NullOr(Schema.String)
}) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `${this.setting} must be ${this.expected}${this.found === null ? "" : `, not ${JSON.stringify(this.found)}`}`
  }
}

/** What settings are about, in the order of the page. */
export const groups = [
  "The database",
  "The server",
  "Webhooks and the feed",
  "Mail",
  "Sources",
  "Research and drafts",
  "People and assistants",
  "What is kept, and how long",
  "Logs, traces and metrics"
] as const

interface About {
  readonly group: typeof groups[number]
  /** What it decides: sentences for the page. */
  readonly meaning: string
  /** A text that it may have. */
  readonly example: string
}

/** What is in force, and where it came from; never a secret. */
export interface InForce {
  readonly name: string
  readonly value: string | null
  readonly source: "environment" | "default" | "not set"
  /** What holds while it is not set. */
  readonly unset: string | null
}

export interface Setting<out A> extends About {
  readonly name: string
  /** Completes "must be". */
  readonly form: string
  readonly secret: boolean
  /** The text that stands for none. */
  readonly standard: string | null
  /** What holds when there is neither. */
  readonly unset: string | null
  readonly read: Effect.Effect<A, SettingFault>
  readonly inForce: Effect.Effect<InForce, SettingFault>
}

/** The text of the variable; one that is empty counts as not set. */
const textOf = (name: string): Effect.Effect<Option.Option<string>> =>
  Effect.orDie(Config.option(Config.String(name))).pipe(Effect.map(Option.map((text) => text.trim())))

/** Somebody may write a password into an address that must not have one. */
const withoutPassword = (text: string): string => text.replaceAll(/\/\/[^/@]*@/g, "//(hidden)@")

const parsed = <A>(name: string, form: SettingForm<A>, text: string): Effect.Effect<A, SettingFault> => {
  const value = form.parse(text)
  if (Option.isSome(value)) return Effect.succeed(value.value)
  const found = form.secret === true ? null : withoutPassword(text)
  return Effect.fail(new SettingFault({ setting: name, expected: form.expected, found }))
}

const described = <A>(name: string, form: SettingForm<A>, about: About) => ({
  ...about,
  name,
  form: form.expected,
  secret: form.secret === true
})

/** A setting that may have no value. */
export const optional = <A>(
  name: string,
  form: SettingForm<A>,
  about: About & { readonly unset: string }
): Setting<Option.Option<A>> => ({
  ...described(name, form, about),
  standard: null,
  unset: about.unset,
  read: Effect.flatMap(
    textOf(name),
    Option.match({
      onNone: () => Effect.succeed(Option.none<A>()),
      onSome: (text) => Effect.map(parsed(name, form, text), Option.some)
    })
  ),
  inForce: Effect.flatMap(
    textOf(name),
    Option.match({
      onNone: () => Effect.succeed<InForce>({ name, value: null, source: "not set", unset: about.unset }),
      onSome: (text) =>
        Effect.map(parsed(name, form, text), () => ({
          name,
          value: shownOf(form, text),
          source: "environment" as const,
          unset: null
        }))
    })
  )
})

/** A list that is empty when it is not set. */
export const optionalList = <A>(
  name: string,
  form: SettingForm<ReadonlyArray<A>>,
  about: About & { readonly unset: string }
): Setting<ReadonlyArray<A>> => {
  const setting = optional(name, form, about)
  return { ...setting, read: Effect.map(setting.read, Option.getOrElse(() => [])) }
}

/** A setting that always has a value; `standard` is written as the operator would write it. */
export const withDefault = <A>(
  name: string,
  form: SettingForm<A>,
  about: About & { readonly standard: string }
): Setting<A> => {
  const text = Effect.map(textOf(name), Option.getOrElse(() => about.standard))
  return {
    ...described(name, form, about),
    standard: about.standard,
    unset: null,
    read: Effect.flatMap(text, (value) => parsed(name, form, value)),
    inForce: Effect.gen(function*() {
      const given = yield* textOf(name)
      const value = Option.getOrElse(given, () => about.standard)
      yield* parsed(name, form, value)
      return {
        name,
        value: shownOf(form, value),
        source: Option.isSome(given) ? "environment" as const : "default" as const,
        unset: null
      }
    })
  }
}
