import { createTokenRequest } from '#core/oid4vci/token.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForToken } from './ask-for-token.ts'
import type { ReadOffer } from './read-offer.ts'

/** POST /token with this PIN. */
export function sendPin(
  context: IssuerContext,
  { resolved }: ReadOffer,
  txCode: string,
): Promise<HttpAnswer> {
  const { preAuthorizedCode } = resolved
  return askForToken(context, resolved, { form: createTokenRequest({ preAuthorizedCode, txCode }) })
}
