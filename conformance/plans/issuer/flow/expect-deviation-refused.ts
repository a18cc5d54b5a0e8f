import { isTestbedError } from '#core/errors/testbed-error.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { requestToken } from '#wallet-emulator/actions/request-token.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CounterpartAnswer } from '#wallet-emulator/wallet-error.ts'
import type { CheckLevel } from '../../../kit/check.ts'
import { broken, endCheck, type Finding, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { OfferKind } from '../make-offer.ts'
import { allHeld } from './all-held.ts'
import { expectRefused, type RefusalOptions } from './expect-refused.ts'
import { readOffer } from './read-offer.ts'
import { requireControl } from './require-control.ts'

interface Expected extends Pick<RefusalOptions, 'errors' | 'statuses'> {
  /** How much it weighs that it is accepted, where that is less than the check. */
  readonly level?: CheckLevel
}

/**
 * Lets wallets deviate, one after the other, each by an offer of its own: the issuer has to refuse
 * each at the endpoint that the deviation is about. Deviations that keys of the target's algorithm
 * can't have are passed over.
 *
 * @param deviations names out of wallet-emulator/faults, each with what the refusal is to look like
 */
export async function expectDeviationsRefused(
  context: IssuerContext,
  deviations: Readonly<Record<string, Expected>>,
): Promise<Finding> {
  const refused: Finding[] = []
  for (const fault of findFaults(Object.keys(deviations))) {
    if (fault.algorithms && !fault.algorithms.includes(context.algorithm)) continue
    const finding = await expectDeviationRefused(context, fault, deviations[fault.name] ?? {})
    if (finding.kind !== 'held') return finding
    refused.push(finding)
  }
  return allHeld(refused)
}

async function expectDeviationRefused(
  context: IssuerContext,
  fault: WalletFault,
  { level, ...expected }: Expected,
): Promise<Finding> {
  const { name, description, needs = [] } = fault
  const kind: OfferKind = needs.includes('pin') ? 'pin' : 'plain'
  const answer = await sendDeviation(context, fault, kind)
  const what = `The ${fault.expected.at} request of a wallet that deviates (${name}: ${description.replace(/\.$/, '')})`
  if (answer === undefined || answer === 'empty') {
    if (answer === 'empty') await requireControl(context, kind)
    const verdictSource = `HTTP status of the ${fault.expected.at} endpoint`
    const details = { verdictSource, expected: 'a 4xx', actual: 'a success' }
    return broken(`${what} was accepted`, { ...details, ...(level && { level }) })
  }
  const { url, status, ...json } = answer
  const request = { method: 'POST', url, status, json }
  return expectRefused(context, request, { what, control: kind, ...expected })
}

/** What the issuer said where it refused; undefined where it did not, be it with nothing due in it. */
async function sendDeviation(
  context: IssuerContext,
  { name, expected: { at } }: WalletFault,
  kind: OfferKind,
): Promise<CounterpartAnswer | 'empty' | undefined> {
  const wallet = context.createWallet({ faults: [name] })
  const { made, resolved } = await readOffer(context, { kind, wallet })
  const asking = requestToken(wallet, resolved, { getPin: () => made.pin, maximumPinAttempts: 1 })
  if (at === 'token') return refusalOf(asking)
  const token = await asPremise('redeeming an offer', asking)
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer holds no credential.'))
  // Document 1, Authentication 7: a proof is due where a c_nonce was issued.
  if (name.startsWith('proof-') && token.cNonce === undefined) {
    endCheck(inconclusive('The token response has no c_nonce, so that no proof is due: see I10.'))
  }
  return refusalOf(requestCredential(wallet, { metadata, entry, ...token }))
}

const refusals = ['token_refused', 'credential_refused']

async function refusalOf(work: Promise<unknown>): Promise<CounterpartAnswer | 'empty' | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!isTestbedError(error)) throw error
    // A success without the due content is no refusal either.
    if (error.code === 'invalid_response') return 'empty'
    const { answer } = error.extra as { answer?: CounterpartAnswer }
    if (answer && refusals.includes(error.code)) return answer
    throw error
  }
}
