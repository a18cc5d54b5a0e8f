import type { Hop } from './z-hop.ts'

const reading = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether an exchange may have changed what a testbed keeps: a request that was taken and does more
 * than read, a page that leads on, as that of a login does, a transaction, a mail.
 */
export function changesSomething(hop: Hop): boolean {
  const { kind, method, status } = hop
  if (kind === 'chain') return isTransaction(hop)
  if (status >= 400) return false
  return !reading.includes(method) || status >= 300
}

/** Whether it is a transaction that the chain has taken: it answers its hash. */
export const isTransaction = ({ kind, url, responseBody }: Hop): boolean =>
  kind === 'chain' && url === 'eth_sendRawTransaction' && typeof responseBody === 'string'
