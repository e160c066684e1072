/** What people call the browser that says that of itself. */

/** In this order, since most name others too. */
const browsers: ReadonlyArray<readonly [name: string, mark: RegExp]> = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Headless)?(Chrome|CriOS)\//],
  ["Safari", /\bSafari\//]
]

const systems: ReadonlyArray<readonly [name: string, mark: RegExp]> = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/]
]

const named = (marks: typeof browsers, userAgent: string): string | undefined =>
  marks.find(([, mark]) => mark.test(userAgent))?.[0]

export const browserOf = (userAgent: string | null): string => {
  if (userAgent === null) return "Unknown browser"
  const browser = named(browsers, userAgent) ?? "Unknown browser"
  const system = named(systems, userAgent)
  return system === undefined ? browser : `${browser} on ${system}`
}
