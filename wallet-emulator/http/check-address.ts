import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { walletError } from '../wallet-error.ts'

// IANA's special-purpose address registries: everything that is not globally reachable. Two lists,
// because a single list would match every IPv4 address with the block of mapped addresses.
const ipv4Blocks = new BlockList()
const ipv6Blocks = new BlockList()
for (const block of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [network = '', prefix] = block.split('/')
  ipv4Blocks.addSubnet(network, Number(prefix), 'ipv4')
}
// Only 2000::/3 is assigned to global unicast (RFC 4291, 2.4). Addresses outside of it that embed an
// IPv4 address (mapped, translated, NAT64) count as private too, and so does 6to4.
for (const block of [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]) {
  const [network = '', prefix] = block.split('/')
  ipv6Blocks.addSubnet(network, Number(prefix), 'ipv6')
}

/**
 * True if an IP address is not on the public internet: loopback, private, link-local, reserved.
 * Anything that is not an IP address counts as private too.
 */
function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  const family = isIP(plain)
  if (family === 0) return true
  return family === 4 ? ipv4Blocks.check(plain, 'ipv4') : ipv6Blocks.check(plain, 'ipv6')
}

/** Returns the IP addresses of a host name. */
export type LookUpHost = (hostname: string) => Promise<readonly string[]>

export interface AddressPolicy {
  /** Required for a local testbed. Never set it for a wallet that handles untrusted links. */
  readonly allowPrivateAddresses: boolean
  /** Default: the system's resolver. */
  readonly lookUp?: LookUpHost
}

/**
 * Returns why a wallet must not fetch an address from another party, or undefined if it may: only
 * http and https, no user name, and no private address unless the policy allows it. The request
 * itself resolves the name again: see {@link createPublicDispatch}.
 *
 * @assumption A-29
 */
export async function checkAddress(
  address: string,
  { allowPrivateAddresses, lookUp = systemLookUp }: AddressPolicy,
): Promise<string | undefined> {
  const url = URL.parse(address)
  if (!url) return 'it is not a valid URL'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it is not an http or https URL'
  if (url.username !== '' || url.password !== '') return 'it contains a user name or a password'
  if (allowPrivateAddresses) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return refusalOf(await lookUp(host).catch(() => []))
}

function refusalOf(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return 'its host name does not resolve'
  return addresses.some(isPrivateAddress) ? 'it points to a private network' : undefined
}

/**
 * Options with which Node's `fetch` connects to no private address, even if the resolver changed its
 * answer after the check (DNS rebinding). None if Node's own dispatcher is replaced: a proxy resolves
 * names itself.
 */
export function createPublicDispatch(lookUp: LookUpHost = systemLookUp): RequestInit {
  // Node loads undici, and with it the dispatcher, at the first use of one of its classes.
  new Headers()
  const [current] = ['2', '1'].flatMap(
    (version) => Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`)) ?? [],
  )
  if (current?.constructor.name !== 'Agent') return {}
  const lookup: LookupFunction = async (host, { all }, done) => {
    const addresses = await lookUp(host).catch(() => [])
    const refusal = refusalOf(addresses)
    if (refusal !== undefined) {
      const message = `The wallet does not connect to ${host}: ${refusal}.`
      return done(walletError('address_refused', message), '')
    }
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    return all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)
  }
  return { dispatcher: new current.constructor({ connect: { lookup } }) }
}

const systemLookUp: LookUpHost = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
