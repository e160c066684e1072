/**
 * The commands, as `freehold --help` lists them. One that is not called is known by its name and its description alone, so
 * that no command waits for what another one needs.
 */
import { Command } from "effect/cli"

const listed = <const Name extends string, Input, ContextInput, E, R>(
  name: Name,
  description: string,
  load: () => Promise<Command.Command<Name, Input, ContextInput, E, R>>
) => {
  const describe = Command.withDescription(description)
  return {
    name,
    whole: () => load().then((command) => command.pipe(describe)),
    named: () => Command.make(name).pipe(describe)
  }
}

const groups = [
  {
    group: "To run it",
    commands: [
      listed(
        "serve",
        "Serve REST at /v1, MCP at /v1/mcp and the reference at /docs; deliver webhooks, work on research, sync sources",
        () => import("./command/Serve.ts").then(({ serveCommand }) => serveCommand)
      ),
      listed(
        "worker",
        "Deliver webhooks, work on research, sync sources; any number of workers may run over one database",
        () => import("./command/Worker.ts").then(({ workerCommand }) => workerCommand)
      ),
      listed(
        "mcp",
        "Serve MCP over stdio as the organization key in FREEHOLD_API_KEY",
        () => import("./command/Mcp.ts").then(({ mcpCommand }) => mcpCommand)
      ),
      listed(
        "migrate",
        "Bring the schema of the database up to date; repeatable",
        () => import("./command/Migrate.ts").then(({ migrateCommand }) => migrateCommand)
      ),
      listed(
        "cell",
        "Divide the organizations over installations that receive the records of one that imports",
        () => import("./command/Cell.ts").then(({ cellCommand }) => cellCommand)
      )
    ]
  },
  {
    group: "To watch it",
    commands: [
      listed(
        "settings",
        "Print every setting that is in force, with where it came from: the environment or a default. Secrets are hidden",
        () => import("./command/Settings.ts").then(({ settingsCommand }) => settingsCommand)
      ),
      listed(
        "doctor",
        "Check settings, data directory, database, connections, tuning, replicas, cells, storage, schema, clock, encryption key, worker and ledger; changes nothing",
        () => import("./command/Doctor.ts").then(({ doctorCommand }) => doctorCommand)
      ),
      listed(
        "audit",
        "Check the laws of credits, access, research, leads and deliveries over the whole database; reads only",
        () => import("./command/Audit.ts").then(({ auditCommand }) => auditCommand)
      ),
      listed(
        "log",
        "List what the operator's people did to organizations, keys, credits and people, by commands and in the app: who, and why",
        () => import("./command/Log.ts").then(({ logCommand }) => logCommand)
      ),
      listed(
        "notice",
        "What admins and you were told without having asked, and mail about it",
        () => import("./command/Notice.ts").then(({ noticeCommand }) => noticeCommand)
      ),
      listed(
        "request",
        "What organizations ask for: support and coverage",
        () => import("./command/Request.ts").then(({ requestCommand }) => requestCommand)
      ),
      listed(
        "operator",
        "Sign in to the operator's area of the app, and sign others out of it",
        () => import("./command/Operator.ts").then(({ operatorCommand }) => operatorCommand)
      )
    ]
  },
  {
    group: "Records",
    commands: [
      listed(
        "import",
        "Load properties, firms, contacts, research or changes from a file; upserts by key",
        () => import("./command/Import.ts").then(({ importCommand }) => importCommand)
      ),
      listed(
        "source",
        "Where records come from by themselves: portals and files that are synced",
        () => import("./command/Source.ts").then(({ sourceCommand }) => sourceCommand)
      ),
      listed(
        "schema",
        "Print the JSON Schema of a kind of import row, of maps or of the apply document",
        () => import("./command/Schema.ts").then(({ schemaCommand }) => schemaCommand)
      ),
      listed(
        "property",
        "Show, match and merge property records",
        () => import("./command/Property.ts").then(({ propertyCommand }) => propertyCommand)
      ),
      listed(
        "contact",
        "Look at people, and erase them for good",
        () => import("./command/Record.ts").then(({ contactCommand }) => contactCommand)
      ),
      listed(
        "firm",
        "Look at firms, and tie the owners of county records to them",
        () => import("./command/Record.ts").then(({ firmCommand }) => firmCommand)
      ),
      listed(
        "suppress",
        "Stop listing a person or an owner who asked for it, everywhere and at once",
        () => import("./command/Suppress.ts").then(({ suppressCommand }) => suppressCommand)
      )
    ]
  },
  {
    group: "Organizations",
    commands: [
      listed(
        "apply",
        "Make what a document describes and change what differs; repeatable",
        () => import("./command/Apply.ts").then(({ applyCommand }) => applyCommand)
      ),
      listed(
        "org",
        "List, show, suspend, resume, close, export and delete organizations",
        () => import("./command/Org.ts").then(({ orgCommand }) => orgCommand)
      ),
      listed(
        "key",
        "Make, list, limit, rotate and revoke API keys",
        () => import("./command/Key.ts").then(({ keyCommand }) => keyCommand)
      ),
      listed(
        "member",
        "List members; let them sign in to the app; revoke and clear their assistant connections",
        () => import("./command/Member.ts").then(({ memberCommand }) => memberCommand)
      ),
      listed(
        "credits",
        "Show, grant and refund credits",
        () => import("./command/Credits.ts").then(({ creditsCommand }) => creditsCommand)
      )
    ]
  },
  {
    group: "Delivery",
    commands: [
      listed(
        "webhook",
        "Show and mend webhook endpoints, and show deliveries",
        () => import("./command/Webhook.ts").then(({ webhookCommand }) => webhookCommand)
      ),
      listed(
        "crm",
        "Push leads to the CRM of an organization: HubSpot, Salesforce",
        () => import("./command/Crm.ts").then(({ crmCommand }) => crmCommand)
      ),
      listed(
        "event",
        "Look at the events of organizations",
        () => import("./command/Record.ts").then(({ eventCommand }) => eventCommand)
      )
    ]
  },
  {
    group: "What members do",
    commands: [
      listed(
        "lead",
        "Qualify, move, assign, show and list leads",
        () => import("./command/Lead.ts").then(({ leadCommand }) => leadCommand)
      ),
      listed(
        "note",
        "Write and list notes about properties",
        () => import("./command/Note.ts").then(({ noteCommand }) => noteCommand)
      ),
      listed(
        "task",
        "Make, list and end tasks about properties",
        () => import("./command/Task.ts").then(({ taskCommand }) => taskCommand)
      ),
      listed(
        "list",
        "Lists of properties and contacts",
        () => import("./command/List.ts").then(({ listCommand }) => listCommand)
      ),
      listed(
        "search",
        "Save, list and delete members' property searches",
        () => import("./command/Search.ts").then(({ searchCommand }) => searchCommand)
      )
    ]
  }
] as const

/** All commands, in groups: whole where that is needed. */
export const commands = (isNeeded: (name: string) => boolean) =>
  Promise.all(groups.map(async ({ commands, group }) => ({
    group,
    commands: await Promise.all(commands.map(({ name, named, whole }) => isNeeded(name) ? whole() : named()))
  })))
