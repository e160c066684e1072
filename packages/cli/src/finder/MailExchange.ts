/**
 * `MailDomains` over name servers: a domain takes mail if it names a mail exchanger, or, naming none, has an address; one that
 * names the empty exchanger says that it takes none (RFC 5321, RFC 7505).
 */
import { MailDomains, type TakesMail } from "@freehold/core/research/MailDomains"
import { Effect, Layer, Result, Schema } from "effect"
import { Resolver } from "node:dns/promises"

const isFault = Schema.is(Schema.Struct({ code: Schema.String }))

const codeOf = (cause: unknown): string => isFault(cause) ? cause.code : "UNKNOWN"

const isAbsent = (code: string): boolean => code === "ENOTFOUND" || code === "ENODATA"

/** Asks `servers`, by default those that the system is configured with. */
export const layer = ({ servers }: { readonly servers?: ReadonlyArray<string> } = {}) =>
  Layer.sync(MailDomains, () => {
    const client = new Resolver({ timeout: 1500, tries: 2 })
    if (servers !== undefined) client.setServers(servers)
    const ask = <A>(query: () => Promise<A>) => Effect.tryPromise({ try: query, catch: codeOf })
    const hasAddress = (domain: string): Effect.Effect<TakesMail> =>
      Effect.all([
        Effect.result(ask(() => client.resolve4(domain))),
        Effect.result(ask(() => client.resolve6(domain)))
      ], { concurrency: 2 }).pipe(
        Effect.map((families) => {
          if (families.some(Result.isSuccess)) return "yes"
          const isNone = families.every((family) => Result.isFailure(family) && isAbsent(family.failure))
          return isNone ? "no" : "unknown"
        })
      )
    return MailDomains.of({
      takesMail: Effect.fn("MailDomains.takesMail")((domain) =>
        ask(() => client.resolveMx(domain)).pipe(
          Effect.matchEffect({
            onFailure: (code) =>
              code === "ENODATA"
                ? hasAddress(domain)
                : Effect.succeed<TakesMail>(code === "ENOTFOUND" ? "no" : "unknown"),
            onSuccess: (found) =>
              Effect.succeed<TakesMail>(found.some(({ exchange }) => exchange !== "") ? "yes" : "no")
          })
        )
      )
    })
  })

/** Asks nobody. */
export const layerSilent = Layer.succeed(MailDomains, { takesMail: () => Effect.succeed("unknown") })
