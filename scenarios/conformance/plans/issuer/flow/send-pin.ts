import { createTokenRequest } from '#core/oid4vci/token-request/create-token-request.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForToken } from './ask.ts'
import type { ReadOffer } from './redeem.ts'

/** POST /token with this PIN. */
export function sendPin(
  context: IssuerContext,
  { resolved }: ReadOffer,
  txCode: string,
): Promise<HttpAnswer> {
  const { preAuthorizedCode } = resolved
  return askForToken(context, resolved, { form: createTokenRequest({ preAuthorizedCode, txCode }) })
}

/** Another PIN of the same length and characters, another one for each number from 1 to 9. */
export function wrongPin(pin: string, number = 1): string {
  const last = pin.charAt(pin.length - 1)
  const shifted = /\d/.test(last) ? String((Number(last) + number) % 10) : String(number)
  return pin.slice(0, -1) + shifted
}
