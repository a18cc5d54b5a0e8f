import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { endCheck, inconclusive } from '../../../kit/check.ts'
import { findingOfError } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { OfferKind } from '../make-offer.ts'
import { redeem } from './redeem.ts'

/**
 * Goes on only where a wallet without any deviation gets what it asks for by an offer of this kind:
 * who refuses everybody has refused nothing in particular. Shown once for all checks of a run.
 */
export async function requireControl(
  context: IssuerContext,
  kind: OfferKind = 'plain',
): Promise<void> {
  if (context.proven.has(kind)) return
  const { wallet, resolved, token } = await redeem(context, { kind })
  const { metadata, offered } = resolved
  for (const entry of offered) {
    await requestCredential(wallet, { metadata, entry, ...token }).catch(endAsUndecided)
  }
  context.proven.add(kind)
}

function endAsUndecided(error: unknown): never {
  const finding = findingOfError(error)
  if (finding === undefined) throw error
  const told = 'It was refused, but so is a wallet that does as documented, which shows nothing'
  endCheck(inconclusive(`${told}: ${finding.reason}`))
}
