/**
 * The contract for readers: the document at `/v1/openapi.json` and a reference page at `/docs`.
 *
 * The page works without a network: Swagger UI comes from this package's dependencies, and its content security policy
 * lets it load nothing but this server's files and call nothing but `/v1`: a cookie of the app, on the same origin, opens nothing
 * there. docs/decisions/0008-reference-page.md.
 */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import * as RequestFrame from "../RequestFrame.ts"
import { apiRoot } from "../Routes.ts"
import * as StaticFile from "../StaticFile.ts"

const documentPath = `${apiRoot}/openapi.json` as const

/** A name, or an address of four numbers, and a port: nothing that could say more in a policy, which knows no other addresses. */
const isHost = (host: string): boolean => /^[\w.-]+(:\d+)?$/.test(host)

/** Of the page at an origin that may be dialled by other names, too: whichever host a request names is its own. */
const policy = (origin: string, host: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${[origin, ...isHost(host) ? [host] : []].map((each) => `${each}${apiRoot}/`).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Freehold API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<header class="masthead"><strong>Freehold</strong> <span>API reference</span> <a href="${documentPath}">openapi.json</a></header>
<main id="reference"><noscript>This page needs scripts; the same is in <a href="${documentPath}">openapi.json</a>.</noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`

const script = `const scheme = matchMedia("(prefers-color-scheme: dark)")
const follow = () => document.documentElement.classList.toggle("dark-mode", scheme.matches)
scheme.addEventListener("change", follow)
follow()
SwaggerUIBundle({
  url: ${JSON.stringify(documentPath)},
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelRendering: "example",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null
})
`

const style =
  `:root { color-scheme: light dark; --ink: light-dark(#1d2733, #e8edf2); --line: light-dark(#d9dfe5, #33404c);
  --accent: light-dark(#0b6b57, #5fd0b4); --ground: light-dark(#fbfcfd, #10161c); --code: light-dark(#eaf0f1, #222d38); }
body { margin: 0; }
:is(body, html.dark-mode, html.dark-mode .swagger-ui) { background: var(--ground); color: var(--ink); }
body, .swagger-ui, .swagger-ui :is(.opblock-tag, .info, .info .title, .opblock-description-wrapper, .opblock-summary-description, .response-col_description, .response-col_status, .tab, .btn, label, select, input, p, h1, h2, h3, h4, h5, td, th) {
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.swagger-ui :is(.headers-wrapper td, .header-col) { font-size: .85rem; font-weight: 400; }
.swagger-ui .renderedMarkdown code { color: var(--accent); background: var(--code); font-weight: 500; }
.masthead { display: flex; gap: .6rem; align-items: baseline; padding: .9rem 1.5rem; background: #1d2733; color: #fff;
  font-size: 1.05rem; }
.masthead span { color: #b8c4cf; }
.masthead a { margin-left: auto; color: #8fe0c8; font-size: .9rem; }
.swagger-ui .wrapper { max-width: 1180px; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title { font-size: 1.9rem; }
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui .renderedMarkdown p { font-size: .95rem; line-height: 1.55; margin-inline: 0; }
.swagger-ui .info .renderedMarkdown { max-width: 52rem; }
.swagger-ui .opblock-description-wrapper { padding: 12px 20px; }
.swagger-ui .info h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; color: var(--ink); }
.swagger-ui .scheme-container { box-shadow: none; border-block: 1px solid var(--line); background: none; padding: 1rem 0; }
.swagger-ui .opblock-tag { font-size: 1.25rem; border-bottom: 1px solid var(--line); }
.swagger-ui .opblock { box-shadow: none; border-radius: 6px; }
.swagger-ui .opblock .opblock-summary-path { font-size: .95rem; }
.swagger-ui .btn.authorize { color: var(--accent); border-color: var(--accent); }
.swagger-ui .btn.authorize svg { fill: var(--accent); }
`

const encoder = new TextEncoder()

const text = (content: string) => Effect.sync(() => encoder.encode(content))

/** Its module is not loaded with the server, which starts the sooner. */
const document = (tools: ReadonlySet<string>) =>
  Effect.flatMap(
    Effect.promise(() => import("./OpenApiDocument.ts")),
    (openApi) => text(JSON.stringify(openApi.make({ tools })))
  )

const packaged = (name: string) =>
  Effect.promise(async () =>
    new Uint8Array(await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))))
  )

const briefly = "public, max-age=300"

const forAnHour = "public, max-age=3600"

/** `origin`: the one that clients dial. `tools`: the names of the operations that assistants are offered. */
interface Options {
  readonly origin: string
  readonly tools: ReadonlySet<string>
}

const files = ({ origin, tools }: Options): ReadonlyArray<StaticFile.StaticFile> => [
  {
    path: documentPath,
    contentType: "application/json",
    cacheControl: briefly,
    content: document(tools),
    ahead: true
  },
  {
    path: "/docs",
    contentType: "text/html; charset=utf-8",
    cacheControl: briefly,
    headers: (host) => ({ "content-security-policy": policy(origin, host), "referrer-policy": "no-referrer" }),
    content: text(page)
  },
  {
    path: "/docs/reference.js",
    contentType: "text/javascript; charset=utf-8",
    cacheControl: briefly,
    content: text(script)
  },
  { path: "/docs/reference.css", contentType: "text/css; charset=utf-8", cacheControl: briefly, content: text(style) },
  {
    path: "/docs/swagger-ui-bundle.js",
    contentType: "text/javascript; charset=utf-8",
    cacheControl: forAnHour,
    content: packaged("swagger-ui-bundle.js")
  },
  {
    path: "/docs/swagger-ui.css",
    contentType: "text/css; charset=utf-8",
    cacheControl: forAnHour,
    content: packaged("swagger-ui.css")
  }
]

/** The routes of the document and of the page. */
export const layer = (options: Options) =>
  HttpRouter.addAll(Effect.forEach(files(options), StaticFile.route)).pipe(Layer.provide(RequestFrame.layer))
