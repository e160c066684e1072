/** What a benchmark found, as a table in Markdown. */

export interface Report {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Sentences below the table: what was left out, what the spread was. */
  readonly notes: ReadonlyArray<string>
}

/** How a figure stands to that of the baseline, in the same run. */
export interface Ratio {
  readonly what: string
  readonly value: number
  /** In words: `at least 0.9`; null: to learn from. */
  readonly goal: string | null
}

/** What a benchmark found, and what that comes to beside the baseline. */
export interface Comparison extends Report {
  readonly ratios: ReadonlyArray<Ratio>
}

const line = (cells: ReadonlyArray<string>, widths: ReadonlyArray<number>): string =>
  `| ${
    cells.map((cell, index) => index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)).join(
      " | "
    )
  } |`

export const format = ({ columns, notes, rows, title }: Report): string => {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => row[index]?.length ?? 0), 3)
  )
  const rule = `| ${
    widths.map((width, index) => index === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`).join(" | ")
  } |`
  const table = rows.length === 0 ? [] : [line(columns, widths), rule, ...rows.map((row) => line(row, widths)), ""]
  return [`### ${title}`, "", ...table, ...notes.map((note) => `- ${note}`), ...(notes.length > 0 ? [""] : [])].join(
    "\n"
  )
}

/** The ratios of several benchmarks as one table. */
export const together = (ratios: ReadonlyArray<Ratio>): Report => ({
  title: "Ratios",
  columns: ["", "of the baseline's", "goal"],
  rows: ratios.map(({ goal, value, what }) => [what, decimal(value, 2), goal ?? ""]),
  notes: []
})

/** A whole number with thousands separated. */
export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")

export const decimal = (value: number, digits = 1): string => value.toFixed(digits)

/** All samples, for a note. */
export const spread = (name: string, samples: ReadonlyArray<number>, show: (value: number) => string): string =>
  `${name}: ${samples.map(show).join(", ")}`
