/**
 * The series of one metric: one for each combination of values of its labels, made when it is first counted.
 *
 * There are at most `most` of them, so that no input can fill the memory; what comes beyond is counted under `other`.
 */
import { Context, type Effect, Metric } from "effect"

type Labels<Name extends string> = Readonly<Record<Name, string>>

/** How many combinations a metric has at most. */
const usual = 2000

/** `names`: those of the labels, in their order. */
export const make = <Name extends string, Input, State>(
  names: ReadonlyArray<Name>,
  create: (attributes: Labels<string>) => Metric.Metric<Input, State>,
  most = usual
) => {
  const series = new Map<string, Metric.Metric<Input, State>>()

  const keep = (key: string, attributes: Labels<string>): Metric.Metric<Input, State> => {
    const made = create(attributes)
    series.set(key, made)
    return made
  }

  const other = (): Metric.Metric<Input, State> =>
    series.get("other") ?? keep("other", Object.fromEntries(names.map((name) => [name, "other"])))

  /** The series of these values. */
  const of = (labels: Labels<Name>): Metric.Metric<Input, State> => {
    const key = names.map((name) => labels[name]).join("\n")
    const known = series.get(key)
    if (known !== undefined) return known
    return series.size < most ? keep(key, labels) : other()
  }

  return {
    of,
    /** Tells it from the start, with nothing counted, so that a first time can be seen as one. */
    begin: (labels: Labels<Name>): void => void of(labels).valueUnsafe(Context.empty()),
    update: (labels: Labels<Name>, input: Input): Effect.Effect<void> => Metric.update(of(labels), input)
  }
}

/** Upper ends of what is measured in seconds, from a read of a record to the longest time limit. */
export const seconds: ReadonlyArray<number> = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
