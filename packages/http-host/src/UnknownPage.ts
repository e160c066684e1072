/**
 * What a person is shown who followed an address that leads nowhere. Programs are answered an envelope there (`RequestFrame`):
 * a browser says that it goes to a page by asking for HTML.
 */
import { HttpServerResponse } from "effect/http"
import type { RequestFault } from "./RequestFault.ts"

const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>There is no such page · Freehold</title>
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
<h1>There is no such page</h1>
<p>The address may be mistyped, or what was there has gone. <a href="/">Go to the first page</a>.</p>
</main>
</body>
</html>
`

export const isAskedFor = (
  { headers, method }: { readonly method: string; readonly headers: Readonly<Record<string, string | undefined>> }
): boolean => (method === "GET" || method === "HEAD") && /\btext\/html\b/.test(headers["accept"] ?? "")

/** With the status that the fault has for programs. */
export const of = ({ status }: RequestFault): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "referrer-policy": "no-referrer", vary: "accept" }
  })
