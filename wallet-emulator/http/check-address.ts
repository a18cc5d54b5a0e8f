import { lookup } from 'node:dns/promises'
import { isPrivateAddress } from './is-private-address.ts'

/** The IP addresses of a host name. */
export type LookUpHost = (hostname: string) => Promise<readonly string[]>

export interface AddressPolicy {
  /** A local testbed's wallet needs it; a wallet that meets strangers must not have it. */
  readonly allowPrivateAddresses: boolean
  /** By default the system's resolver. */
  readonly lookUp?: LookUpHost
}

/**
 * Says why a wallet must not fetch an address that somebody else gave it, or gives undefined where
 * it may: only http and https, no user name in it, and no private address unless the policy allows
 * those. The name is resolved here once more than for the request itself, so that a resolver that
 * changes its answer in between is not caught.
 *
 * @assumption A-29
 */
export async function checkAddress(
  address: string,
  { allowPrivateAddresses, lookUp = systemLookUp }: AddressPolicy,
): Promise<string | undefined> {
  const url = URL.parse(address)
  if (!url) return 'it is no address'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'it is no web address'
  if (url.username !== '' || url.password !== '') return 'it carries a user name or a password'
  if (allowPrivateAddresses) return undefined
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookUp(host).catch(() => [])
  if (addresses.length === 0) return 'its host name does not resolve'
  return addresses.some(isPrivateAddress) ? 'it leads into a private network' : undefined
}

const systemLookUp: LookUpHost = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
