import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { type Finding, held } from '../../kit/finding.ts'
import type { WrongRequests } from '../registries/findings.ts'
import { findRpcError } from './find-rpc-error.ts'
import { requireControl } from './require-control.ts'

/**
 * Sends one wrong request after the other, until one is not answered with this code.
 * @param control the same request with nothing wrong: where it has no result, nothing is shown
 */
export async function findEachRpcError(
  requests: WrongRequests,
  code: number | readonly number[],
  control?: () => Promise<HttpAnswer>,
): Promise<Finding> {
  if (control) await requireControl(control)
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRpcError(await send(), { what: `A request with ${wrong}`, code })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(
    `${all.length} were refused with ${[code].flat().join(' or ')}, those with: ${all.join('; ')}`,
  )
}
