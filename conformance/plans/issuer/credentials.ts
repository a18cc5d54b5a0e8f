import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type ParsedJws, parseJws } from '#core/crypto/jws.ts'
import { membersOf } from '#core/json/json-object.ts'
import { createDeferredCredentialRequest } from '#core/oid4vci/credential-request.ts'
import { parseCredentialResponse } from '#core/oid4vci/credential-response.ts'
import type { CredentialSupported } from '#core/oid4vci/issuer-metadata.ts'
import { type Power, zPower } from '#core/power/power.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import type { HttpAnswer, HttpRequest } from '#scenarios/harness/http-client.ts'
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
import type { IssuerContext } from './context.ts'
import type { Session } from './proofs.ts'
import { askForCredential, entryOf, type ReadOfferOptions, redeem } from './redeeming.ts'

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

/** Redeems an offer and requests its first credential, as documented. */
async function askForFirst(context: IssuerContext, options: ReadOfferOptions) {
  const redeemed = await redeem(context, options)
  const { wallet, resolved, token } = redeemed
  const request = { metadata: resolved.metadata, entry: entryOf(resolved), ...token }
  const response = await asPremise('asking for a credential', requestCredential(wallet, request))
  return { ...redeemed, entry: request.entry, response }
}

/** Accepts an offer as documented. Ends the check if the result is not a JWT with `vc`. */
export async function obtainCredential(
  context: IssuerContext,
  options: ReadOfferOptions = {},
): Promise<ObtainedCredential> {
  const { wallet, entry, response } = await askForFirst(context, options)
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
  requireFullSignature(jws)
  return { jwt, jws, vc: vc as Record<string, unknown>, entry, wallet }
}

/**
 * Ends the check as broken if zeros at the beginning of r or s are missing: in one of 128
 * credentials, so only some of all the credentials of a run show it. I54 finds other signatures of a
 * wrong length.
 */
function requireFullSignature({ header: { alg }, signature }: ParsedJws): void {
  const missing = 64 - signature.length
  if (!/^ES256K?$/.test(String(alg)) || missing < 1 || missing > 4) return
  endCheck(
    broken(`The signature of a credential has ${signature.length} bytes.`, {
      expected: '64 bytes: r and s of 32 bytes each (RFC 7518, 3.4)',
      actual: signature.length,
      verdictSource: 'the signature of the credential',
      fix: 'Pad r and s of a signature to 32 bytes each, with zeros in front, before you join them. Without that, one of 128 credentials is invalid.',
    }),
  )
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

/** A deferred credential that a wallet waits for. */
interface Deferred {
  readonly acceptanceToken: string
  readonly accessToken: string
  /** The DID of the proof. */
  readonly holderDid: string
  /** Its session, with the c_nonce of the deferred response if it has one. */
  readonly session: Session
  /**
   * POST /deferred_credential, once; by default the documented request, with the access token as
   * Bearer.
   */
  poll(request?: HttpRequest): Promise<HttpAnswer>
}

/** Requests a credential that is not ready yet, as a wallet. */
export async function defer(context: IssuerContext): Promise<Deferred> {
  const { wallet, resolved, token, response } = await askForFirst(context, { kind: 'deferred' })
  if (response.kind !== 'deferred') {
    endCheck(inconclusive('The credential of create-deferred-offer was available immediately.'))
  }
  const { acceptanceToken, cNonce } = response
  const { accessToken } = token
  const documented = createDeferredCredentialRequest(acceptanceToken)
  return {
    acceptanceToken,
    accessToken,
    holderDid: wallet.account.did,
    session: { wallet, resolved, token: { ...token, ...(cNonce && { cNonce }) } },
    poll: ({ headers, ...body } = {}) =>
      context.http.request(resolved.metadata.deferredCredentialEndpoint, {
        method: 'POST',
        ...(Object.keys(body).length > 0 ? body : { json: documented }),
        headers: { authorization: `Bearer ${accessToken}`, ...headers },
      }),
  }
}
