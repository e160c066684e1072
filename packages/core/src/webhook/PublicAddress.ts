/**
 * Which IP addresses a webhook may be sent to: those that belong to the public internet.
 *
 * The list is that of the IANA special-purpose registries, read strictly (a block that is only partly reachable is
 * refused whole), plus what clouds put at an ordinary looking address. For IPv6 the rule is turned around: only global
 * unicast space (2000::/3) is public, less its exceptions.
 *
 * *Gotchas*
 * - Text that is no address, carries a zone (`fe80::1%eth0`) or has octets with leading zeros is not public.
 * - An IPv4-mapped, 6to4 or Teredo address is never public, whatever it wraps. An address of the well-known NAT64 prefix
 *   is judged by the IPv4 address inside, because on an IPv6-only network every IPv4 host is seen that way.
 */
import { Option } from "effect"

interface Address {
  readonly bits: 32 | 128
  readonly value: bigint
}

interface Block extends Address {
  readonly prefix: number
}

const joined = (parts: ReadonlyArray<number>, width: bigint): bigint =>
  parts.reduce((value, part) => (value << width) | BigInt(part), 0n)

const octets = (text: string): Option.Option<ReadonlyArray<number>> => {
  const parts = text.split(".")
  const plain = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  return plain ? Option.some(parts.map(Number)) : Option.none()
}

/** The 16-bit groups of one side of a `::`; an IPv4 tail counts as two. */
const groups = (text: string): Option.Option<ReadonlyArray<number>> => {
  if (text === "") return Option.some([])
  const parts = text.split(":")
  const tail = parts.at(-1) ?? ""
  const hex = tail.includes(".") ? parts.slice(0, -1) : parts
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return Option.none()
  const numbers = hex.map((part) => Number.parseInt(part, 16))
  if (!tail.includes(".")) return Option.some(numbers)
  return Option.map(octets(tail), ([a = 0, b = 0, c = 0, d = 0]) => [...numbers, a * 256 + b, c * 256 + d])
}

const parse6 = (text: string): Option.Option<Address> => {
  const sides = text.split("::")
  if (sides.length > 2 || (sides.length === 2 && sides[0]?.includes("."))) return Option.none()
  return Option.flatMap(
    Option.all(sides.map(groups)),
    ([head = [], tail]) => {
      const zeros = 8 - head.length - (tail?.length ?? 0)
      if (tail === undefined ? zeros !== 0 : zeros < 1) return Option.none()
      const all = [...head, ...Array.from({ length: zeros }, () => 0), ...(tail ?? [])]
      return Option.some({ bits: 128, value: joined(all, 16n) })
    }
  )
}

const parse = (text: string): Option.Option<Address> =>
  text.includes(":")
    ? parse6(text)
    : Option.map(octets(text), (parts) => ({ bits: 32, value: joined(parts, 8n) }))

const blocks = (cidrs: ReadonlyArray<string>): ReadonlyArray<Block> =>
  cidrs.map((cidr) => {
    const [base = "", prefix] = cidr.split("/")
    return { ...Option.getOrThrow(parse(base)), prefix: Number(prefix) }
  })

const within = (address: Address, block: Block): boolean => {
  const shift = BigInt(block.bits - block.prefix)
  return address.bits === block.bits && address.value >> shift === block.value >> shift
}

const reserved4 = blocks([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT; cloud metadata at 100.100.100.200
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure's host agent, an ordinary looking address
  "169.254.0.0/16", // link-local; cloud metadata at 169.254.169.254
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; cloud metadata at 192.0.0.192
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // automatic multicast tunnelling
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // future use and broadcast
])

const global6 = blocks(["2000::/3"])

const reserved6 = blocks([
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20" // documentation
])

const nat64 = blocks(["64:ff9b::/96"])

const isPublic = (address: Address): boolean => {
  if (address.bits === 32) return !reserved4.some((block) => within(address, block))
  if (nat64.some((block) => within(address, block))) {
    return isPublic({ bits: 32, value: BigInt.asUintN(32, address.value) })
  }
  return global6.some((block) => within(address, block)) && !reserved6.some((block) => within(address, block))
}

/** Whether `text` is an IPv4 or IPv6 address (without brackets) of the public internet. */
export const isPublicAddress = (text: string): boolean => Option.exists(parse(text), isPublic)
