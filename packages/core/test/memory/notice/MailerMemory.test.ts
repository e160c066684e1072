import * as MailerMemory from "@freehold/core/memory/notice/MailerMemory"
import { MailNotTaken } from "@freehold/core/notice/Mailer"
import { mailerContract, MailReceiver } from "@freehold/core/testing/MailerContract"
import { Effect, Layer } from "effect"

const receiver = Layer.effect(
  MailReceiver,
  Effect.map(MailerMemory.Mailbox, ({ refusals, taken }) => ({
    taken: Effect.sync(() => taken),
    refuse: (address: string, lasting: boolean) =>
      Effect.sync(() => void refusals.set(address, new MailNotTaken({ reason: "made up", lasting })))
  }))
)

mailerContract("memory", Layer.provideMerge(receiver, MailerMemory.layer))
