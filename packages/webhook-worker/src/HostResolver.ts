/**
 * Turns a host name into every address it has, IPv4 first. A service, so that a test decides where a name leads.
 *
 * `layer` asks the name servers and nothing else: it neither reads the hosts file nor holds one of libuv's four lookup
 * threads, so that dead name servers stall nobody. `layerSystem` asks the operating system and knows the hosts file and
 * search domains; it is meant for development.
 */
import { Context, Effect, Layer, Result, Schema } from "effect"
import { lookup, Resolver } from "node:dns/promises"

/** The name has no address, or no name server answered. */
export class HostUnresolved extends Schema.TaggedError<HostUnresolved>()("HostUnresolved", {
  hostname: Schema.String,
  code: Schema.String
}) {
  override get message() {
    return `cannot resolve ${this.hostname}: ${this.code}`
  }
}

const SystemFailure = Schema.Struct({ code: Schema.String })
const isSystemFailure = Schema.is(SystemFailure)

const unresolved = (hostname: string) => (cause: unknown) =>
  new HostUnresolved({ hostname, code: isSystemFailure(cause) ? cause.code : "UNKNOWN" })

export class HostResolver extends Context.Service<HostResolver, {
  /** All addresses of the name; never empty. */
  resolve(hostname: string): Effect.Effect<ReadonlyArray<string>, HostUnresolved>
}>()("@freehold/webhook-worker/HostResolver") {
  /** Asks `servers` (`address` or `address:port`), by default those that the system is configured with. */
  static readonly layer = ({ servers }: { readonly servers?: ReadonlyArray<string> } = {}) =>
    Layer.sync(HostResolver, () => {
      const client = new Resolver({ timeout: 1500, tries: 2 })
      if (servers !== undefined) client.setServers(servers)
      return HostResolver.of({
        resolve: Effect.fn("HostResolver.resolve")(function*(hostname) {
          const ask = (query: () => Promise<Array<string>>) =>
            Effect.result(Effect.tryPromise({ try: query, catch: unresolved(hostname) }))
          const [v4, v6] = yield* Effect.all([
            ask(() => client.resolve4(hostname)),
            ask(() => client.resolve6(hostname))
          ], { concurrency: 2 })
          // One family may be missing; only when both are is the name unresolved.
          const addresses = [v4, v6].flatMap(Result.getOrElse(() => []))
          if (addresses.length > 0) return addresses
          return yield* Result.isFailure(v4) ? v4.failure : new HostUnresolved({ hostname, code: "ENODATA" })
        })
      })
    })

  static readonly layerSystem = Layer.succeed(
    HostResolver,
    HostResolver.of({
      resolve: Effect.fn("HostResolver.resolve")(function*(hostname) {
        const found = yield* Effect.tryPromise({
          try: () => lookup(hostname, { all: true, order: "ipv4first" }),
          catch: unresolved(hostname)
        })
        return found.map(({ address }) => address)
      })
    })
  )
}
