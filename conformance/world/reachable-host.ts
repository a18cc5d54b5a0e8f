import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

const addressesOfThisMachine = () =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)

/**
 * The host of addresses that lead to a server bound to an address: that address itself, and for
 * one that stands for all of them this machine's first IPv4 address in the network, else loopback.
 */
export function reachableHost(
  bind: string,
  addresses: readonly Pick<
    NetworkInterfaceInfo,
    'address' | 'family' | 'internal'
  >[] = addressesOfThisMachine(),
): string {
  if (bind !== '0.0.0.0' && bind !== '::') return bind.includes(':') ? `[${bind}]` : bind
  const inNetwork = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  return inNetwork?.address ?? '127.0.0.1'
}
