import type { Hop } from './z-hop.ts'

const reading = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether an exchange may have changed what a testbed keeps: a request that was taken and does more
 * than read, a page that leads on, as that of a login does, a transaction, a mail.
 */
export function changesSomething({ kind, method, status }: Hop): boolean {
  if (kind === 'chain') return method === 'eth_sendRawTransaction'
  if (status >= 400) return false
  return !reading.includes(method) || status >= 300
}
