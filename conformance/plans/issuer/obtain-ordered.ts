import { broken, endCheck } from '../../kit/check.ts'
import { requireFinding } from '../../kit/classify-answer.ts'
import { type ObtainedCredential, obtainCredential } from './credentials.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { MadeOffer } from './make-offer.ts'
import { findServed } from './refusals.ts'

/** Accepts an offer of the portal. If that fails like an outage, others must fail as well. */
export async function obtainOrdered(
  context: IssuerContext,
  order: () => Promise<MadeOffer>,
): Promise<ObtainedCredential> {
  const obtain = async () => obtainCredential(context, { made: await order() })
  try {
    return await obtain()
  } catch (error) {
    if (requireFinding(error).kind !== 'inconclusive') throw error
  }
  await findServed(context)
  return obtain().catch((error: unknown) => {
    const { kind, reason } = requireFinding(error)
    if (kind !== 'inconclusive') throw error
    const details = { verdictSource: 'two offers of the portal', level: 'practice' } as const
    endCheck(broken(`Offers of the portal yield no credential, but others do. ${reason}`, details))
  })
}
