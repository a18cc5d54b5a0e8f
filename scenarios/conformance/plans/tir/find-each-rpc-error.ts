import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { asPremise } from '../../as-premise.ts'
import { type Finding, held } from '../../finding.ts'
import type { WrongRequests } from '../../registries/find-each-refused.ts'
import { findRpcError } from './find-rpc-error.ts'
import { requireResult } from './require-result.ts'

/**
 * Sends one wrong request after the other, until one is not answered with this code.
 * @param control the same request with nothing wrong: where it has no result, nothing is shown
 */
export async function findEachRpcError(
  requests: WrongRequests,
  code: number | readonly number[],
  control?: () => Promise<HttpAnswer>,
): Promise<Finding> {
  await requireControl(control)
  for (const [wrong, send] of Object.entries(requests)) {
    const finding = findRpcError(await send(), { what: `A request with ${wrong}`, code })
    if (finding.kind !== 'held') return finding
  }
  const all = Object.keys(requests)
  return held(
    `${all.length} were refused with ${[code].flat().join(' or ')}, those with: ${all.join('; ')}`,
  )
}

/** Ends a check as inconclusive where a request with nothing wrong has no result. */
export async function requireControl(control?: () => Promise<HttpAnswer>): Promise<void> {
  if (control === undefined) return
  const what = 'A request with nothing wrong'
  await asPremise(
    what,
    control().then((answer) => requireResult(answer, what)),
  )
}
