import { typeChainOf } from '#wallet-emulator/actions/accept-offer.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import { createWalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import { broken, type Finding, held, inconclusive } from '../../../kit/check.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { ObtainedCredential } from './obtain-credential.ts'

const verdictSource = 'the credential, by the rules that verifiers judge by'

/**
 * What some of the rules say of a credential, which are those that verifiers judge by. A rule that
 * could not be looked at decides nothing.
 *
 * @param isAbout by the rule's name
 * @param types the type chain; by default as offered
 */
export async function judgeCredential(
  { trust, credentialIssuer }: IssuerContext,
  { jwt, wallet, entry }: ObtainedCredential,
  isAbout: (rule: string) => boolean,
  types: readonly string[] = typeChainOf(entry),
): Promise<Finding> {
  const found = await validateReceivedCredential(wallet, jwt, {
    ...(trust && createWalletTrust(wallet.http, trust)),
    types,
    credentialIssuer,
  })
  const failures = found.failures.filter(({ rule }) => isAbout(rule))
  if (failures.length > 0) {
    const reasons = failures.map(({ rule, path, reason }) => `${rule} (${path}): ${reason}`)
    return broken(`Broken: ${reasons.join('; ')}.`, { failures, verdictSource })
  }
  const unchecked = found.unchecked.filter(({ rule }) => isAbout(rule))
  if (unchecked.length > 0) {
    const reasons = unchecked.map(({ rule, reason }) => `${rule}: ${reason}`)
    return inconclusive(`Not looked at: ${reasons.join('; ')}.`, { verdictSource })
  }
  const names = new Set(found.checked.map(({ rule }) => rule).filter(isAbout))
  if (names.size === 0) return inconclusive('None of its rules came to be looked at.')
  return held(`Holds: ${[...names].join(', ')}.`, { verdictSource })
}
