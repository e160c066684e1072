/** What a browser is told to hold of the app's pages: nothing from elsewhere, no inline code, no frame around them. */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types default"
].join("; ")

/** Of a page at an origin. */
export const securityHeaders = (origin: string): Readonly<Record<string, string>> => ({
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  ...(origin.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
})
