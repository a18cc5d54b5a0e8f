import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { broken, endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { type RedeemOptions, redeem } from './redeem.ts'

/** A credential as it came, taken apart and not judged. */
export interface ObtainedCredential {
  readonly jwt: string
  readonly jws: ParsedJws
  /** The `vc` claim. */
  readonly vc: Readonly<Record<string, unknown>>
  /** What was offered. */
  readonly entry: CredentialSupported
  readonly wallet: Wallet
}

/** A wallet takes an offer as documented. Ends the check where what it gets is no JWT with `vc`. */
export async function obtainCredential(
  context: IssuerContext,
  options: RedeemOptions = {},
): Promise<ObtainedCredential> {
  const { wallet, resolved, token } = await redeem(context, options)
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer holds no credential.'))
  const request = { metadata, entry, ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  if (response.kind === 'deferred') {
    endCheck(inconclusive('create-offer made an offer whose credential is deferred.'))
  }
  const { credential: jwt } = response
  const jws = parseJws(jwt)
  if (!jws.ok) endCheck(broken(`The credential is no JWT: ${jws.reason}.`, { actual: jwt }))
  const { vc } = jws.payload
  if (typeof vc !== 'object' || vc === null || Array.isArray(vc)) {
    endCheck(broken('The credential has no claim vc.', { actual: jws.payload }))
  }
  return { jwt, jws, vc: vc as Record<string, unknown>, entry, wallet }
}
