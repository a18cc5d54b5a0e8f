import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { Finding } from '../../../kit/check.ts'
import { type ExpectedRefusal, findRefusal } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { OfferKind } from '../make-offer.ts'
import { requireControl } from './require-control.ts'

export interface RefusalOptions extends Omit<ExpectedRefusal, 'errorLevel'> {
  /** The kind of offer by which the same request without the deviation is accepted. */
  readonly control?: OfferKind
}

/**
 * What an answer says where a refusal is demanded. The documents fix no error codes for wallets:
 * another one than OpenID4VCI has weighs as `final` alone. Whatever it says counts only where a wallet
 * without the deviation is served: at an endpoint that is not there each answer is wrong.
 */
export async function expectRefused(
  context: IssuerContext,
  answer: Pick<HttpAnswer, 'method' | 'url' | 'status' | 'json'>,
  { control = 'plain', ...expected }: RefusalOptions,
): Promise<Finding> {
  const finding = findRefusal(answer, { ...expected, errorLevel: 'final' })
  if (finding.kind !== 'inconclusive') await requireControl(context, control)
  return finding
}
