import { type Finding, held } from '../../finding.ts'
import type { WrongRequests } from '../../registries/find-each-refused.ts'
import { findRpcError } from './find-rpc-error.ts'

/** Sends one wrong request after the other, until one is not answered with this code. */
export async function findEachRpcError(requests: WrongRequests, code: number): Promise<Finding> {
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRpcError(await send(), { what: `A request with ${wrong}`, code })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(`${all.length} were refused with ${code}, those with: ${all.join('; ')}`)
}
