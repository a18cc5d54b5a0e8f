import { parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { parseCredentialResponse } from '#core/oid4vci/credential-response.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { endCheck, inconclusive } from '../../kit/check.ts'
import { credentialIdOf } from './credentials.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { Session } from './proofs.ts'
import { askForCredential } from './redeeming.ts'

/**
 * The id, subject and status list entries of the credential in an answer; undefined if it is
 * deferred.
 */
export function credentialIn({ json }: HttpAnswer) {
  const result = parseCredentialResponse(json)
  if (!result.ok || result.response.kind === 'deferred') return undefined
  const jws = parseJws(result.response.credential)
  if (!jws.ok) return undefined
  const vc = (jws.payload.vc ?? {}) as Readonly<Record<string, unknown>>
  const subject = (vc.credentialSubject as { id?: unknown } | undefined)?.id
  const entries = [vc.credentialStatus].flat().flatMap((each) => {
    const { statusListCredential: list, statusListIndex: index } = membersOf(each)
    return index === undefined ? [] : [`${list}#${index}`]
  })
  return { id: credentialIdOf({ vc, jws }), subject, entries: [...new Set(entries)] }
}

/**
 * The c_nonce of the error response for a made-up one, and its lifetime in seconds, as far as the
 * issuer returns them.
 */
export async function askForNonce(context: IssuerContext, session: Session) {
  const refused = await askForCredential(context, session, { cNonce: 'a-nonce-of-my-own-making' })
  const { c_nonce: cNonce, c_nonce_expires_in: lifetime } = membersOf(refused.json)
  return {
    ...(typeof cNonce === 'string' && { cNonce }),
    ...(typeof lifetime === 'number' && { lifetime }),
  }
}

/**
 * Requests the credential of a session again, with a c_nonce of the error response for another
 * one. Ends the check if the issuer returns none.
 */
export async function askAgain(context: IssuerContext, session: Session, { wallet }: Session) {
  const { cNonce } = await askForNonce(context, session)
  if (cNonce === undefined) {
    endCheck(inconclusive('After the delivery there is no new c_nonce: see I45.'))
  }
  const json = createRequestBody(wallet, session, cNonce)
  return { answer: await askForCredential(context, session, { json }), json }
}
