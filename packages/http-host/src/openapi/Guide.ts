/** What the contract's document tells about all endpoints at once. */

export const guide = `
Freehold holds commercial properties, the people to talk to and the firms behind them. Searching and summaries are free; credits
open a property or a person; a qualified property becomes a lead that reaches a CRM through a webhook or a feed. The same
operations are tools for AI assistants at \`POST /v1/mcp\` (\`x-mcp-tool\` names the tool of an endpoint).

## Keys

Every call carries \`Authorization: Bearer <API_KEY>\`. A key belongs to an organization and has scopes; each endpoint names the scope
and the lowest plan that it needs. Checks come in one order: requests of the address, the key, requests of the key a minute and a day,
the organization, the scope, the plan, then the arguments, then what is visible, limits and money.

## Answers

Success is \`{ "success": true, "data", "meta"? }\`, failure \`{ "success": false, "error", "code"?, "meta"? }\`. Check the status, then
\`success\`, then branch on the code: \`meta.code\`, or \`code\` at the top. Never branch on the sentence in \`error\`. A code that you do not
know means what its status means. Every 400 about arguments has \`meta.issues\` of \`{ field, message }\`.

Answers carry \`Cache-Control: no-store\`, \`Service-Request-Id\` (name it when you report a fault) and \`Service-Version\`. A HEAD is answered
where a GET only reads. An unknown path is 404, a wrong method 405 with \`Allow\`.

## What may be added

Enums in answers are open: \`x-extensible-enum\` lists the words known today, and others may come. Answers may gain fields. What you send
is closed: an unknown key, parameter or word is refused with 400.

## Limits

Level 1 is requests: a minute and a day. Level 2 is data a UTC day, by the service, the organization and the key. Level 3 is the records
allowance of a period. Each refusal is 429 with \`Retry-After\` (seconds) and \`meta.limit\`; \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and
\`X-RateLimit-Reset\` (Unix seconds) tell the state of the key's minute on every answer to an admitted key.

## Versions

The path is the version. Fields, endpoints, codes and enum words may be added at any time. Something is removed at the earliest 12 months
after notice, which is given by the headers \`Deprecation\`, \`Sunset\` and \`Link; rel="deprecation"\`; data that has to go for the protection of
people may go at once. A \`/v2\` would run next to \`/v1\`. Bundles are versioned by \`bundle_version\`, changes by \`payload_version\`.

Endpoints marked \`x-extension\` are Freehold's own additions.
`.trim()
