import { endCheck, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { credentialIdOf } from './credential-id-of.ts'
import { obtainCredential } from './obtain-credential.ts'
import { requestOwnOffer } from './request-own-offer.ts'
import type { SignedInPortal } from './sign-in.ts'

/** A representative asks for a credential of their own and takes it; gives its credential_id. */
export async function obtainOwnCredential(
  context: IssuerContext,
  signedIn: SignedInPortal,
): Promise<string> {
  const made = await asPremise('asking for an own credential (see I84)', requestOwnOffer(signedIn))
  const id = credentialIdOf(await obtainCredential(context, { made }))
  if (typeof id === 'string') return id
  endCheck(inconclusive('The credential has no id to be revoked by: see I64.'))
}
