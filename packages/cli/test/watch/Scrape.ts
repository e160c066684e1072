/** Reads what a process tells at `/metrics`, in the text form of Prometheus. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const line = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/

const label = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

/** Fails on a line that is neither a comment nor a sample. */
export const parse = (text: string): ReadonlyArray<Sample> =>
  text.trimEnd().split("\n").filter((each) => !each.startsWith("# ")).map((each) => {
    const found = line.exec(each)
    if (found === null) throw new Error(`no sample: ${each}`)
    const [, name = "", labels = "", value = ""] = found
    return {
      name,
      labels: Object.fromEntries([...labels.matchAll(label)].map(([, key, text]) => [key, text])),
      value: Number(value)
    }
  })

export const scrape = async (origin: string): Promise<ReadonlyArray<Sample>> => {
  const answer = await fetch(`${origin}/metrics`)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
  return parse(await answer.text())
}

/** The sum of the samples of that name which have these labels. */
export const valueOf = (
  samples: ReadonlyArray<Sample>,
  name: string,
  labels: Readonly<Record<string, string>> = {}
): number =>
  samples
    .filter((sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value)
    )
    .reduce((sum, { value }) => sum + value, 0)
