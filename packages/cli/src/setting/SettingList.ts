/**
 * All settings, each once: `Settings`, `freehold settings`, `docs/settings.md` and the warning of unknown names are made of
 * this list. A new setting is one entry here.
 */
import { sessionSettings } from "@freehold/adapters-pg/database/Pools"
import { defaultRetryDelays } from "@freehold/core/webhook/RetryPolicy"
import { Duration } from "effect"
import * as Capacity from "./CapacityForm.ts"
import * as Mail from "./MailForm.ts"
import { researchSettings } from "./ResearchSettings.ts"
import { optional, optionalList, withDefault } from "./Setting.ts"
import * as Form from "./SettingForm.ts"

export const settings = {
  databaseUrl: optional("DATABASE_URL", Form.postgresUrl, {
    group: "The database",
    meaning: "Your PostgreSQL, 15 to 18, in UTF-8, with a role that may create tables.",
    unset: "an embedded PostgreSQL in the data directory",
    example: "postgres://freehold:secret@db.example.com:5432/freehold"
  }),
  databaseReplicaUrl: optional("DATABASE_REPLICA_URL", Capacity.replicas, {
    group: "The database",
    meaning: "Standbys that answer searches; see scaling.md, \"Replicas\".",
    unset: "everything is read from the primary",
    example: "postgres://freehold:secret@db2.example.com:5432,db3.example.com:5432/freehold"
  }),
  replicaMaxLag: withDefault("FREEHOLD_REPLICA_MAX_LAG", Form.duration, {
    group: "The database",
    meaning: "A standby that is further behind than this is not read from.",
    standard: "5 seconds",
    example: "2 seconds"
  }),
  replicaPatience: withDefault("FREEHOLD_REPLICA_PATIENCE", Form.duration, {
    group: "The database",
    meaning: "How long a read waits for a standby to come up to the primary, before the primary answers it.",
    standard: "100 millis",
    example: "20 millis"
  }),
  databasePools: withDefault("FREEHOLD_DATABASE_POOLS", Capacity.poolSizes, {
    group: "The database",
    meaning: "Most connections of each pool of a process; what is not named stays. See scaling.md, \"Connections\".",
    standard: Capacity.defaultSizesText,
    example: "ledger=8,reads=6"
  }),
  databasePrepare: withDefault("FREEHOLD_DATABASE_PREPARE", Form.onOrOff, {
    group: "The database",
    meaning:
      "Whether statements are prepared and kept: on or off. Off for a pooler that cannot keep them; see scaling.md.",
    standard: "on",
    example: "off"
  }),
  databaseStartup: withDefault("FREEHOLD_DATABASE_STARTUP", Capacity.startup, {
    group: "The database",
    meaning: "The settings of a session that are sent when a connection begins. Poolers refuse them; see scaling.md. "
      + "`temp_file_limit` as well where the role may set it; see operating.md, \"Temporary files\".",
    standard: sessionSettings.join(","),
    example: "none"
  }),
  importerUrl: optional("FREEHOLD_IMPORTER_URL", Form.postgresUrl, {
    group: "The database",
    meaning:
      "In a cell: the database of the installation that imports, where suppressions, merges and what research finds "
      + "are written; see scaling.md, \"Cells\".",
    unset: "this installation is no cell, or one that can write nothing about records",
    example: "postgres://freehold:secret@importer.example.com:5432/freehold"
  }),
  targetUrl: optional("FREEHOLD_TARGET_URL", Form.postgresUrl, {
    group: "The database",
    meaning: "The database of the other cell, for `freehold cell move` alone.",
    unset: "no organization can be moved",
    example: "postgres://freehold:secret@west.example.com:5432/freehold"
  }),
  dataDirectory: withDefault("FREEHOLD_DATA_DIR", Form.text, {
    group: "The database",
    meaning: "The embedded database and the keys that were made for it. A relative path is below the current folder.",
    standard: ".freehold",
    example: "/var/lib/freehold"
  }),
  postgresTuning: optional("FREEHOLD_POSTGRES_TUNING", Capacity.tuning, {
    group: "The database",
    meaning: "Settings of the embedded PostgreSQL; those that are not named go by the machine. See operating.md, "
      + "\"A PostgreSQL that fits its machine\".",
    unset: "all of them go by the memory, the processors and the disk of the machine, or of its container",
    example: "shared_buffers=2GB,work_mem=32MB"
  }),
  databaseMachine: optional("FREEHOLD_DATABASE_MACHINE", Capacity.machine, {
    group: "The database",
    meaning: "What the machine has that your PostgreSQL runs on: `freehold doctor` judges its settings by that.",
    unset: "where DATABASE_URL leads to this machine, what this one has; what is not known is not judged",
    example: "memory=64GB,processors=16,disk=2TB"
  }),
  encryptionKey: optional("FREEHOLD_ENCRYPTION_KEY", Form.encryptionKey, {
    group: "The database",
    meaning:
      "Seals webhook secrets at rest, and the cursors of clients. Required with DATABASE_URL. Keep it with the backups.",
    unset: "on the embedded database: a key that is made once and kept in the data directory",
    example: "bWFkZSB1cCBmb3IgdGhlIHBhZ2UsIG5vdCBhIGtleSE="
  }),
  host: withDefault("HOST", Form.text, {
    group: "The server",
    meaning: "The address on which the server listens; 0.0.0.0 is every one.",
    standard: "127.0.0.1",
    example: "0.0.0.0"
  }),
  port: withDefault("PORT", Form.port, {
    group: "The server",
    meaning: "The port on which the server listens; 0 is any free one. `freehold serve --port` wins.",
    standard: "8080",
    example: "8443"
  }),
  workers: withDefault("FREEHOLD_WORKERS", Capacity.processes, {
    group: "The server",
    meaning: "The processes that serve on one port. `freehold serve --workers` wins; see scaling.md.",
    standard: "1",
    example: "4"
  }),
  places: optional("FREEHOLD_PLACES", Capacity.places, {
    group: "The server",
    meaning:
      "What runs at once of each kind of work in a process, of all organizations / of one; what is not named stays.",
    unset:
      "point=64/16,read=6/1,write=6/2,research=8/2, where an organization may keep half of the processors busy with reads",
    example: "read=12/2,write=6/2"
  }),
  publicUrl: optional("FREEHOLD_PUBLIC_URL", Form.origin, {
    group: "The server",
    meaning: "The origin that clients use; the API is below it at /v1. Assistants and researchers are told it.",
    unset: "that of the server itself, http://HOST:PORT",
    example: "https://api.example.com"
  }),
  appUrl: optional("FREEHOLD_APP_URL", Form.webAddress, {
    group: "The server",
    meaning: "Your application, which has a page for each property: `deep_link_url` is `<it>/properties/<id>`.",
    unset: "the app that this server serves; with FREEHOLD_CONSOLE=off there is no `deep_link_url`",
    example: "https://app.example.com"
  }),
  console: withDefault("FREEHOLD_CONSOLE", Form.onOrOff, {
    group: "The server",
    meaning: "Whether the app that people sign in to is served at the root of the origin: on or off.",
    standard: "on",
    example: "off"
  }),
  operatorConsole: withDefault("FREEHOLD_OPERATOR_CONSOLE", Form.switchOrOrigin, {
    group: "The server",
    meaning:
      "Where the operator's area of the app is: on is the public origin, off is nowhere, and an origin is that one "
      + "alone, which a proxy hands on with its Host.",
    standard: "on",
    example: "https://operator.example.com"
  }),
  trustedProxies: optionalList("FREEHOLD_TRUSTED_PROXIES", Form.networks, {
    group: "The server",
    meaning:
      "The proxies in front of the server, whose X-Forwarded-For is believed. They pass Host on as it was dialled: "
      + "X-Forwarded-Host counts for nothing.",
    unset: "no proxy is believed, and everybody behind one is one address",
    example: "10.0.0.0/8,fd00::/8"
  }),
  allowedOrigins: optional("FREEHOLD_ALLOWED_ORIGINS", Form.origins, {
    group: "The server",
    meaning: "The origins of pages in browsers that may call /v1/mcp.",
    unset: "that of the public URL",
    example: "https://app.example.com,https://desk.example.com"
  }),
  corsOrigins: optionalList("FREEHOLD_CORS_ORIGINS", Form.origins, {
    group: "The server",
    meaning: "The origins of pages in browsers that may call REST.",
    unset: "none",
    example: "https://app.example.com"
  }),
  encryptionKeyPrevious: optional("FREEHOLD_ENCRYPTION_KEY_PREVIOUS", Form.encryptionKey, {
    group: "The database",
    meaning: "The key whose place FREEHOLD_ENCRYPTION_KEY takes: what it sealed is opened, and sealed anew in the "
      + "background; see operating.md, \"A new encryption key\".",
    unset: "one key alone is accepted",
    example: "bWFkZSB1cCBmb3IgdGhlIHBhZ2UsIG5vdCBhIGtleSE="
  }),
  operator: optional("FREEHOLD_OPERATOR", Form.text, {
    group: "What is kept, and how long",
    meaning: "Who runs commands, as `freehold log` and the ledger name them; --as of a command comes before it.",
    unset: "the name of the account that runs the command",
    example: "ana"
  }),
  keepBodies: withDefault("FREEHOLD_KEEP_BODIES", Form.duration, {
    group: "What is kept, and how long",
    meaning: "How long what was sent by a delivery is kept, so that it can be sent again as it was; see retention.md.",
    standard: "30 days",
    example: "7 days"
  }),
  keepDeliveries: withDefault("FREEHOLD_KEEP_DELIVERIES", Form.duration, {
    group: "What is kept, and how long",
    meaning:
      "How long deliveries that ended are shown, with every attempt, and endpoints that were replaced; at least as long as their bodies.",
    standard: "90 days",
    example: "180 days"
  }),
  keepEvents: withDefault("FREEHOLD_KEEP_EVENTS", Form.duration, {
    group: "What is kept, and how long",
    meaning:
      "How long GET /events shows signals and changes of leads; at least as long as deliveries. Qualifications stay.",
    standard: "400 days",
    example: "200 days"
  }),
  webhookTargets: withDefault("FREEHOLD_WEBHOOK_TARGETS", Form.targetPolicy, {
    group: "Webhooks and the feed",
    meaning:
      "Where webhooks may go: `public` is https and public addresses only, `any` is http, private and loopback too, "
      + "for development.",
    standard: "public",
    example: "any"
  }),
  webhookRetryDelays: withDefault("FREEHOLD_WEBHOOK_RETRY_DELAYS", Form.retryDelays, {
    group: "Webhooks and the feed",
    meaning: "The waits between the attempts of a delivery, and of a job of research: as many as there are retries.",
    standard: defaultRetryDelays.map((delay) => `${Duration.toSeconds(delay)} seconds`).join(","),
    example: "1 minute,10 minutes,1 hour,6 hours"
  }),
  webhookTimeout: withDefault("FREEHOLD_WEBHOOK_TIMEOUT", Form.timeout, {
    group: "Webhooks and the feed",
    meaning: "How long a receiver may take to answer.",
    standard: "10 seconds",
    example: "5 seconds"
  }),
  feedDelay: withDefault("FREEHOLD_FEED_DELAY", Form.duration, {
    group: "Webhooks and the feed",
    meaning: "The age at which an event shows in GET /leads, so that a feed that is polled misses none.",
    standard: "10 seconds",
    example: "30 seconds"
  }),
  sourceTargets: withDefault("FREEHOLD_SOURCE_TARGETS", Form.targetPolicy, {
    group: "Sources",
    meaning:
      "Where sources may be read from: `public` is https and public addresses only, `any` is http, private and loopback "
      + "too, for a mirror of your own and for development.",
    standard: "public",
    example: "any"
  }),
  sourceTimeout: withDefault("FREEHOLD_SOURCE_TIMEOUT", Form.timeout, {
    group: "Sources",
    meaning: "How long a portal may take over one page, and how long a file may pause while it comes.",
    standard: "2 minutes",
    example: "5 minutes"
  }),
  matching: withDefault("FREEHOLD_MATCHING", Form.onOrOff, {
    group: "Sources",
    meaning:
      "Whether owners are matched with firms, and records of several sources with each other, after each sync and "
      + "import; see matching.md.",
    standard: "off",
    example: "on"
  }),
  ...researchSettings,
  smtpServer: optional("FREEHOLD_SMTP_URL", Mail.smtpServer, {
    group: "Mail",
    meaning: "The server that notices are mailed through. With a password, or as smtps, it has to be encrypted; see "
      + "operating.md, \"Somebody is told\". Set together with FREEHOLD_MAIL_FROM.",
    unset: "no mail is sent; notices are in the app and in `freehold notice list`",
    example: "smtp://freehold:made-up@mail.example.com:587"
  }),
  mailFrom: optional("FREEHOLD_MAIL_FROM", Mail.mailAddress, {
    group: "Mail",
    meaning: "Whom the mails are from.",
    unset: "no mail is sent",
    example: "freehold@example.com"
  }),
  operatorMail: optional("FREEHOLD_OPERATOR_MAIL", Mail.mailAddress, {
    group: "Mail",
    meaning: "Where you read what the installation has to tell you.",
    unset: "mails go to the admins of organizations alone",
    example: "ops@example.com"
  }),
  oauthIssuer: optional("OAUTH_ISSUER", Form.issuer, {
    group: "People and assistants",
    meaning: "The authorization server of people who connect an assistant as themselves; see operating.md.",
    unset: "people cannot sign in; keys alone work",
    example: "https://login.example.com/realms/acme"
  }),
  signInClientId: optional("FREEHOLD_SIGN_IN_CLIENT_ID", Form.text, {
    group: "People and assistants",
    meaning: "The client that the app is registered as at OAUTH_ISSUER, with the redirect address "
      + "`<public URL>/sign-in/callback`; see console.md.",
    unset: "people sign in to the app by links of `freehold member link`",
    example: "freehold"
  }),
  signInClientSecret: optional("FREEHOLD_SIGN_IN_CLIENT_SECRET", Form.secretText, {
    group: "People and assistants",
    meaning: "The secret of that client.",
    unset: "it is a public client",
    example: "made-up-secret"
  }),
  apiKey: optional("FREEHOLD_API_KEY", Form.apiKey, {
    group: "People and assistants",
    meaning: "The organization key as which `freehold mcp` speaks for a local assistant.",
    unset: "`freehold mcp` refuses to start; nothing else needs it",
    example: "fhk_made-up-for-the-page-0000000000000000000000"
  }),
  logLevel: withDefault("LOG_LEVEL", Form.logLevel, {
    group: "Logs, traces and metrics",
    meaning: "The least severity of a line on standard error: lines of JSON, or readable ones on a terminal.",
    standard: "info",
    example: "warn"
  }),
  accessLog: withDefault("FREEHOLD_ACCESS_LOG", Form.onOrOff, {
    group: "Logs, traces and metrics",
    meaning: "Whether every request is a line of the log: on or off.",
    standard: "off",
    example: "on"
  }),
  watchAddress: optional("FREEHOLD_WATCH_ADDRESS", Form.listenAddress, {
    group: "Logs, traces and metrics",
    meaning:
      "Where metrics and health are told to those who watch; port 0 is any free one. Of several processes each has a "
      + "port of its own, counted up from this one. See watching.md.",
    unset: "no metrics; health is told on the server's port",
    example: "127.0.0.1:9464"
  }),
  telemetryUrl: optional("OTEL_EXPORTER_OTLP_ENDPOINT", Form.webAddress, {
    group: "Logs, traces and metrics",
    meaning: "The OpenTelemetry collector that gets traces, logs and metrics, over HTTP.",
    unset: "off",
    example: "http://127.0.0.1:4318"
  })
}

/** What the files of a deployment or development alone read: no command does, and none warns of it. */
export const otherVariables = [
  { name: "FREEHOLD_DOMAIN", meaning: "the host name of the API, in `deploy/compose.yaml` and `deploy/Caddyfile`" },
  { name: "FREEHOLD_SERVER", meaning: "the servers behind the proxy, in `deploy/Caddyfile`" },
  { name: "TEST_DATABASE_URL", meaning: "tests run on this PostgreSQL, by a role that may create databases" },
  { name: "FREEHOLD_PGBOUNCER", meaning: "the program of PgBouncer that the nightly tests start" },
  {
    name: "FREEHOLD_PREVIOUS_PROGRAM",
    meaning: "the program of an earlier release, which `pnpm upgrading` sets for its test"
  },
  { name: "FREEHOLD_LAW_RUNS", meaning: "how many runs each law gets in its test" },
  { name: "FREEHOLD_FUZZ_REQUESTS", meaning: "how many requests the fuzz of the contract sends" },
  { name: "FREEHOLD_FUZZ_SEED", meaning: "what the fuzz is drawn from; the same seed, the same requests" },
  { name: "FREEHOLD_SOURCE_ROWS", meaning: "how many rows the nightly test of a long source reads" },
  { name: "FREEHOLD_ANSWER_COSTS", meaning: "`write`: the test of the demonstration writes what answers cost" },
  {
    name: "FREEHOLD_BROKER_TASKS",
    meaning: "`write`: the nightly test of a broker's tasks writes their table and transcript"
  },
  { name: "FREEHOLD_BROWSER", meaning: "the browser that the tests of the app open" },
  { name: "FREEHOLD_CI_TOOLS", meaning: "`.ci/run` notes here that it has fetched its own Node and pnpm" }
] as const
