/**
 * What a person is shown in place of a page: that there is none, or why it cannot be shown now. Programs are answered an envelope there: a
 * browser says that it goes to a page by asking for HTML.
 */
import type { RateLimited, RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { HttpServerResponse } from "effect/http"
import type { RequestFault } from "./RequestFault.ts"
import { outcomes } from "./Status.ts"

const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = (heading: string, text: string) =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} · Freehold</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; line-height: 1.55;
  color: light-dark(#17202a, #e8edf2); background: light-dark(#f4f6f8, #10161c);
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.5rem; } a { color: light-dark(#0b6b57, #5fd0b4); }
</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${text}</p>
</main>
</body>
</html>
`

const nowhere = page(
  "There is no such page",
  "The address may be mistyped, or what was there has gone. <a href=\"/\">Go to the first page</a>."
)

export const isAskedFor = (
  { headers, method }: { readonly method: string; readonly headers: Readonly<Record<string, string | undefined>> }
): boolean => (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(headers["accept"] ?? "")

const answer = (html: string, status: number): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "referrer-policy": "no-referrer", vary: "accept" }
  })

/** With the status that the fault has for programs. */
export const ofFault = ({ status }: RequestFault): HttpServerResponse.HttpServerResponse => answer(nowhere, status)

/** There is a page, and the address has no requests left for it, or they cannot be counted. */
export const ofRefusal = (
  { _tag, retryAfterSeconds }: RateLimited | RateLimitUnavailable
): HttpServerResponse.HttpServerResponse => {
  const [heading, cause] = _tag === "rate_limited"
    ? ["Too many requests", "Very much was asked for from your network within a minute."]
    : ["The service is busy", "It cannot answer at the moment."]
  const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}`
  return HttpServerResponse.setHeader(
    answer(page(heading, `${cause} Reload this page in ${wait}.`), outcomes[_tag].status),
    "retry-after",
    String(retryAfterSeconds)
  )
}
