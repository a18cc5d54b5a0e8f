import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { type Power, zPower } from '#core/power/power.ts'
import { typeChainOf } from '#wallet-emulator/actions/accept-offer.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'
import { createWalletTrust } from '#wallet-emulator/trust/wallet-trust.ts'
import {
  broken,
  describeBrokenRules,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../kit/check.ts'
import { asPremise } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './issuer-context.ts'
import { type ReadOfferOptions, redeem } from './redeeming.ts'

/** A received credential, parsed but not verified. */
export interface ObtainedCredential {
  readonly jwt: string
  readonly jws: ParsedJws
  /** The `vc` claim. */
  readonly vc: Readonly<Record<string, unknown>>
  /** The entry that was offered. */
  readonly entry: CredentialSupported
  readonly wallet: Wallet
}

/** Accepts an offer as documented. Ends the check if the result is not a JWT with `vc`. */
export async function obtainCredential(
  context: IssuerContext,
  options: ReadOfferOptions = {},
): Promise<ObtainedCredential> {
  const { wallet, resolved, token } = await redeem(context, options)
  const { metadata, offered } = resolved
  const [entry] = offered
  if (entry === undefined) endCheck(inconclusive('The offer does not contain a credential.'))
  const request = { metadata, entry, ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  if (response.kind === 'deferred') {
    endCheck(inconclusive('create-offer created an offer with a deferred credential.'))
  }
  const { credential: jwt } = response
  const jws = parseJws(jwt)
  if (!jws.ok) endCheck(broken(`The credential is not a JWT: ${jws.reason}.`, { actual: jwt }))
  const { vc } = jws.payload
  if (typeof vc !== 'object' || vc === null || Array.isArray(vc)) {
    endCheck(broken('The credential has no claim vc.', { actual: jws.payload }))
  }
  return { jwt, jws, vc: vc as Record<string, unknown>, entry, wallet }
}

const verdictSource = 'the credential, by the rules of verifiers'

/**
 * Evaluates some of the rules of verifiers for a credential. If a rule could not be checked, the
 * result is inconclusive.
 *
 * @param isAbout selects rules by name
 * @param types the type chain; by default as offered
 */
export async function evaluateCredential(
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
    return broken(`Broken: ${describeBrokenRules(failures)}.`, { failures, verdictSource })
  }
  const unchecked = found.unchecked.filter(({ rule }) => isAbout(rule))
  if (unchecked.length > 0) {
    const reasons = unchecked.map(({ rule, reason }) => `${rule}: ${reason}`)
    return inconclusive(`Not checked: ${reasons.join('; ')}.`, { verdictSource })
  }
  const names = new Set(found.checked.map(({ rule }) => rule).filter(isAbout))
  if (names.size === 0) return inconclusive('None of the rules was evaluated.')
  return held(`Passed: ${[...names].join(', ')}.`, { verdictSource })
}

/** The id of a credential: `id` of the `vc` claim, or else `jti`; not checked here. */
export const credentialIdOf = ({ vc, jws }: Pick<ObtainedCredential, 'vc' | 'jws'>): unknown =>
  vc.id ?? jws.payload.jti

/** The mandate of a credential; its members are not checked here. */
export const mandateOf = ({ vc }: Pick<ObtainedCredential, 'vc'>): UncheckedMandate | undefined =>
  (vc.credentialSubject as { mandate?: UncheckedMandate } | undefined)?.mandate

/** The employeeId of a credential; not checked here. */
export const employeeIdOf = (credential: Pick<ObtainedCredential, 'vc'>): unknown =>
  membersOf(mandateOf(credential)?.mandatee).employeeId

interface UncheckedMandate {
  readonly mandatee?: unknown
  readonly power?: unknown
}

/**
 * True if both grant the same actions: the order of powers and actions, their grouping and any other
 * members are the issuer's choice.
 */
export function isSamePowers(actual: unknown, expected: readonly Power[]): boolean {
  const powers = z.array(zPower).safeParse(actual)
  return powers.success && isDeepStrictEqual(actionsIn(powers.data), actionsIn(expected))
}

const actionsIn = (powers: readonly Power[]): ReadonlySet<string> =>
  new Set(
    powers.flatMap(({ type, domain, function: task, action }) =>
      action.map((each) => JSON.stringify([type, domain, task, each])),
    ),
  )

/**
 * The address in `termsOfUse` that is below the target's TIR; other terms are ignored. If there is
 * none, the check ends as inconclusive.
 */
export function accreditationAddress(
  { trust }: IssuerContext,
  { vc }: Pick<ObtainedCredential, 'vc'>,
): string {
  const base = `${trust?.tirBaseUrl.replace(/\/$/, '')}/`
  const ids = [vc.termsOfUse].flat().map((each) => (each as { id?: unknown } | null)?.id)
  const id = ids.find((each) => typeof each === 'string' && each.startsWith(base))
  if (typeof id === 'string') return id
  endCheck(inconclusive('termsOfUse has no address below the TIR: see I60.'))
}
