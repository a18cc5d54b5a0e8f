import type { Address } from '../list-addresses.ts'

/** The table of addresses that `testbed up` prints, one line each, grouped. */
export function formatAddresses(addresses: readonly Address[]): string {
  const width = Math.max(...addresses.map(({ name }) => name.length))
  let group = ''
  const lines = addresses.flatMap((address) => {
    const line = `  ${address.name.padEnd(width)}  ${address.url}`
    if (address.group === group) return [line]
    group = address.group
    return [group, line]
  })
  return lines.join('\n')
}
