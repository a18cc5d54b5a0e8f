import { isTestbedError } from '#core/errors/testbed-error.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { requestToken } from '#wallet-emulator/actions/request-token.ts'
import { findFaults } from '#wallet-emulator/faults/find-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import type { CounterpartAnswer } from '#wallet-emulator/wallet-error.ts'
import {
  broken,
  type Check,
  type CheckLevel,
  type CheckTexts,
  defineChecks,
  endCheck,
  type Finding,
  inconclusive,
  wronglyAccepted,
} from '../../kit/check.ts'
import { asPremise, type ExpectedRefusal } from '../../kit/classify-answer.ts'
import { findEach } from '../../kit/find-each.ts'
import type { IssuerContext } from './context.ts'
import type { OfferKind } from './make-offer.ts'
import { entryOf, readOffer } from './redeeming.ts'
import { findWalletRefusal } from './refusals.ts'

/** Deviations of a wallet that must be rejected. */
export interface RefusedDeviations extends CheckTexts {
  /** Names from wallet-emulator/faults, with the specifics of a deviation. */
  readonly deviations: readonly (string | Deviation)[]
  /** The allowed errors of a rejection, by default those of the table. */
  readonly errors?: ExpectedRefusal['errors']
  /** A note about the verdict. */
  readonly note?: string
  /** Why the check is inconclusive for this issuer; undefined if it is not. */
  readonly findUndecided?: (context: IssuerContext) => Promise<string | undefined>
}

interface Deviation extends Pick<ExpectedRefusal, 'errors'> {
  readonly name: string
  /** The level if the deviation is accepted, if lower than that of the check. */
  readonly level?: CheckLevel
}

/**
 * Declares checks that deviating wallets are rejected.
 * @param tableErrors the allowed errors of a rejection; by default any
 */
export const refusedDeviations = (
  rows: Readonly<Record<`${string}-${string}`, RefusedDeviations>>,
  tableErrors?: ExpectedRefusal['errors'],
): Record<string, Check<IssuerContext>> =>
  defineChecks<IssuerContext, RefusedDeviations>(
    rows,
    ({ deviations: named, errors = tableErrors, note, findUndecided, ...texts }) => {
      const deviations = named.map((each) => ({
        ...(errors && { errors }),
        ...(typeof each === 'string' ? { name: each } : each),
      }))
      const faults = findFaults(deviations.map(({ name }) => name))
      const control = faults.map(kindOf).includes('pin') ? 'pin-offer' : 'offer'
      return {
        ...texts,
        expectation: 'refuse',
        control,
        deviations: faults.map(({ name }) => name),
        sends: faults.map(({ description }) => description).join(' '),
        decides: [describeRefusals(faults, deviations), note].filter(Boolean).join(' '),
        async run(context) {
          const undecided = await findUndecided?.(context)
          return undecided === undefined
            ? findDeviationRefusals(context, faults, deviations)
            : inconclusive(undecided)
        },
      }
    },
  )

function describeRefusals(faults: readonly WalletFault[], deviations: readonly Deviation[]) {
  const at = faults[0]?.expected.at ?? 'credential'
  const errors = new Set(deviations.flatMap((expected) => expected.errors ?? []))
  const answers = faults.length > 1 ? 'responds to each with a 4xx' : 'returns a 4xx'
  const other =
    errors.size > 0 ? ` An error code other than ${[...errors].join(' or ')} is a WARN.` : ''
  return `The ${at} endpoint ${answers} and no ${at}, while the same wallet without the deviation gets one.${other}`
}

/**
 * Lets wallets deviate, one after the other, each with a new offer: the issuer must reject each at
 * the endpoint that the deviation is about. Deviations that are impossible with keys of the
 * target's algorithm are skipped.
 */
async function findDeviationRefusals(
  context: IssuerContext,
  faults: readonly WalletFault[],
  deviations: readonly Deviation[],
): Promise<Finding> {
  const possible = faults.filter(
    ({ algorithms }) => algorithms?.some((name) => name === context.algorithm) ?? true,
  )
  return findEach(possible, (fault) =>
    findDeviationRefusal(
      context,
      fault,
      deviations.find(({ name }) => name === fault.name),
    ),
  )
}

const kindOf = ({ needs = [] }: WalletFault): OfferKind => (needs.includes('pin') ? 'pin' : 'plain')

async function findDeviationRefusal(
  context: IssuerContext,
  fault: WalletFault,
  { level, errors }: Partial<Deviation> = {},
): Promise<Finding> {
  const { name, description } = fault
  const answer = await sendDeviation(context, fault)
  const what = `The ${fault.expected.at} request of a wallet that deviates (${name}: ${description.replace(/\.$/, '')})`
  if (answer === undefined || answer === 'empty') {
    const verdictSource = `HTTP status of the ${fault.expected.at} endpoint`
    const details = { verdictSource, expected: 'a 4xx', actual: 'a success' }
    const accepted = answer === 'empty' ? broken : wronglyAccepted
    return accepted(`${what} was accepted`, { ...details, ...(level && { level }) })
  }
  const { url, status, ...json } = answer
  const request = { method: 'POST', url, status, json }
  return findWalletRefusal(request, { what, ...(errors && { errors }) })
}

/** The issuer's rejection; undefined if it accepted, `empty` for a success without content. */
async function sendDeviation(
  context: IssuerContext,
  fault: WalletFault,
): Promise<CounterpartAnswer | 'empty' | undefined> {
  const { name, expected } = fault
  const wallet = context.createWallet({ faults: [name] })
  const { made, resolved } = await readOffer(context, { kind: kindOf(fault), wallet })
  const asking = requestToken(wallet, resolved, { getPin: () => made.pin, maximumPinAttempts: 1 })
  if (expected.at === 'token') return refusalOf(asking)
  const token = await asPremise('redeeming an offer', asking)
  const { metadata } = resolved
  const entry = entryOf(resolved)
  // profile/issuer, Authentication 7: a proof is required if a c_nonce was issued.
  if (name.startsWith('proof-') && token.cNonce === undefined) {
    endCheck(inconclusive('The token response has no c_nonce, so no proof is required: see I10.'))
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
    // A success without the expected content is not a rejection either.
    if (error.code === 'invalid_response') return 'empty'
    const { answer } = error.extra as { answer?: CounterpartAnswer }
    if (answer && refusals.includes(error.code)) return answer
    throw error
  }
}
