/** Ends with 0 if the server of this container lives: its health check, where there is no curl. */
const answer = await fetch(`http://127.0.0.1:${process.env["PORT"] ?? 8080}/healthz`).catch(() => undefined)
process.exitCode = answer?.ok ? 0 : 1
