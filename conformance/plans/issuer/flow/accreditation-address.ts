import { endCheck, inconclusive } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { ObtainedCredential } from './obtain-credential.ts'

/**
 * The address in `termsOfUse` that lies below the target's TIR; other terms may stand beside it. Ends
 * the check as undecided where there is none.
 */
export function accreditationAddress(
  { trust }: IssuerContext,
  { vc }: Pick<ObtainedCredential, 'vc'>,
): string {
  const base = `${trust?.tirBaseUrl.replace(/\/$/, '')}/`
  const ids = [vc.termsOfUse].flat().map((each) => (each as { id?: unknown } | null)?.id)
  const id = ids.find((each) => typeof each === 'string' && each.startsWith(base))
  if (typeof id === 'string') return id
  endCheck(inconclusive('termsOfUse names no address below the TIR: see I60.'))
}
