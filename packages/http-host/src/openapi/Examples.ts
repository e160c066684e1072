/**
 * An example of each endpoint: what is sent and what is answered, for the contract's document.
 *
 * The types of an operation's input and output check every example when it is compiled; a test checks it against the
 * document too. All data is made up.
 */
import type { AnyOperation } from "@freehold/core/operation/Operation"
import { accountExamples } from "./examples/AccountExamples.ts"
import { changeExamples } from "./examples/ChangeExamples.ts"
import { contactExamples } from "./examples/ContactExamples.ts"
import { customerExamples } from "./examples/CustomerExamples.ts"
import { eventExamples } from "./examples/EventExamples.ts"
import type { Example } from "./examples/Example.ts"
import { extensionExamples } from "./examples/ExtensionExamples.ts"
import { firmExamples } from "./examples/FirmExamples.ts"
import { leadExamples } from "./examples/LeadExamples.ts"
import { listExamples } from "./examples/ListExamples.ts"
import { noteExamples } from "./examples/NoteExamples.ts"
import { propertyExamples } from "./examples/PropertyExamples.ts"
import { webhookExamples } from "./examples/WebhookExamples.ts"

const examples: ReadonlyMap<string, Example> = new Map(
  [
    ...accountExamples,
    ...propertyExamples,
    ...contactExamples,
    ...firmExamples,
    ...changeExamples,
    ...leadExamples,
    ...eventExamples,
    ...listExamples,
    ...noteExamples,
    ...customerExamples,
    ...webhookExamples,
    ...extensionExamples
  ]
    .map((
      example
    ) => [example.operation, example])
)

/** The example of an operation, by its name. */
export const exampleOf = (operation: AnyOperation["name"]): Example | undefined => examples.get(operation)
