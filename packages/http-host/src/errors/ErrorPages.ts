/**
 * A page for each code at `/docs/errors/CODE`, an index at `/docs/errors`, and the same as one Markdown document.
 */
import { Effect, Record } from "effect"
import { HttpRouter } from "effect/http"
import * as StaticFile from "../StaticFile.ts"
import { type Outcome, outcomes } from "../Status.ts"
import { type ErrorCode, type Explanation, explanations, folder, pathOf } from "./ErrorTable.ts"

const codes = Record.toEntries(explanations).toSorted(([one], [other]) => one.localeCompare(other, "en"))

const httpOutcomes: Readonly<Partial<Record<ErrorCode, Outcome>>> = outcomes

/** How it arrives. */
const status = (code: ErrorCode): string => {
  const outcome = httpOutcomes[code]
  return outcome === undefined
    ? "no HTTP status of its own: a refusal of a tool or a command"
    : `HTTP ${outcome.status}`
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

/** Text with `code` in it as HTML. */
const inline = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = (title: string, main: string): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Freehold</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; line-height: 1.55;
  color: light-dark(#1d2733, #e8edf2); background: light-dark(#fbfcfd, #10161c);
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin-bottom: 0; } p { margin-top: .3rem; }
code { background: light-dark(#eaf0f1, #222d38); padding: 0 .2em; } a { color: light-dark(#0b6b57, #5fd0b4); } li { margin: .3rem 0; }
</style>
</head>
<body>
<nav><a href="/docs">API reference</a> · <a href="${folder}">All codes</a></nav>
${main}
</body>
</html>
`

const explained = (code: ErrorCode, { cause, remedy }: Explanation): string =>
  page(
    code,
    `<h1>${code}</h1>\n<p>${status(code)}</p>\n<h2>Cause</h2>\n<p>${inline(cause)}</p>\n<h2>Remedy</h2>\n<p>${
      inline(remedy)
    }</p>`
  )

const index = page(
  "Codes of refusals",
  `<h1>Codes of refusals</h1>\n<ul>\n${
    codes.map(([code, { cause }]) => `<li><a href="${pathOf(code)}">${code}</a>: ${inline(cause)}</li>`).join("\n")
  }\n</ul>`
)

/** The text that is checked in as `docs/errors.md`. */
export const markdown = (): string =>
  [
    "# Codes of refusals",
    "",
    "<!-- written by `pnpm openapi` from packages/http-host/src/errors/ErrorTable.ts -->",
    "",
    "Branch on `meta.code`, falling back to the top-level `code`, and treat a code that you do not know as its HTTP status. Every refusal",
    "links its page: `Link: </docs/errors/CODE>; rel=\"help\"`; the server has them at `/docs/errors`.",
    ...codes.flatMap(([code, { cause, remedy }]) => [
      "",
      `## ${code}`,
      "",
      `${status(code)}.`,
      "",
      `- Cause: ${cause}`,
      `- Remedy: ${remedy}`
    ]),
    ""
  ].join("\n")

const html = (path: `/${string}`, content: () => string): StaticFile.StaticFile => ({
  path,
  contentType: "text/html; charset=utf-8",
  cacheControl: "public, max-age=300",
  headers: { "content-security-policy": policy, "referrer-policy": "no-referrer" },
  content: Effect.sync(() => new TextEncoder().encode(content()))
})

const files: ReadonlyArray<StaticFile.StaticFile> = codes.map(([code, explanation]) =>
  html(pathOf(code), () => explained(code, explanation))
)

/** The pages, for everybody. */
export const layer = HttpRouter.addAll(
  Effect.map(
    Effect.all([StaticFile.route(html(folder, () => index)), StaticFile.folders(files)]),
    ([list, pages]) => [list, ...pages]
  )
)
