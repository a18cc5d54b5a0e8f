import { randomUUID } from 'node:crypto'
import { parseJws } from '#core/crypto/jws.ts'
import { findLink } from '#core/link/find-link.ts'
import type { Power } from '#core/power/power.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { broken, endCheck, type Finding, held, inconclusive } from '../../kit/check.ts'
import { asPremise, requireAnswer, requireFinding } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './context.ts'
import { credentialIdOf, type ObtainedCredential, obtainCredential } from './credentials.ts'
import type { MadeOffer } from './make-offer.ts'
import type { IssuanceEndpoint, Portal } from './open-portal.ts'
import { type ReadOffer, readOffer } from './redeeming.ts'
import { findServed } from './refusals.ts'

/** A portal with a signed-in representative. */
export interface SignedInPortal {
  readonly portal: Portal
  readonly headers: { readonly authorization: string }
}

/** Signs the representative in, with a new token. */
export async function signIn(portal: Portal): Promise<SignedInPortal> {
  return { portal, headers: { authorization: `Bearer ${await portal.createBearerToken()}` } }
}

/** The claims of the representative's token; none if it is not a JWT. */
export function claimsOf({ headers }: SignedInPortal): Readonly<Record<string, unknown>> {
  const token = parseJws(headers.authorization.slice('Bearer '.length))
  return token.ok ? token.payload : {}
}

/**
 * Like `requireAnswer`, for a request with the target's own Bearer token: if the token is rejected,
 * the target file may be wrong.
 */
export function requirePortalAnswer(answer: HttpAnswer, what: string): HttpAnswer {
  const { status } = answer
  if (status !== 401 && status !== 403) return requireAnswer(answer, what)
  const refusal = `${what} was rejected: HTTP ${status}`
  endCheck(inconclusive(`${refusal}. Does create-bearer-token of the target return a valid token?`))
}

/** The records of the organization, as POST /issuance/credential lists them. */
export async function listRecords({
  portal,
  headers,
}: SignedInPortal): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const json = { organization_identifiers: [portal.organizationIdentifier] }
  const answer = requirePortalAnswer(await portal.post('credential', json, headers), 'The list')
  if (Array.isArray(answer.json)) return answer.json
  endCheck(broken('The list of credentials is not a JSON array.', { actual: answer.json }))
}

/** The same records, for a check that depends on them but does not test the list. */
export const listAsPremise = (signedIn: SignedInPortal) =>
  asPremise('listing credentials (see I84)', listRecords(signedIn))

/**
 * Signs in again after this time, and lists the records; undefined if the token issuer does not
 * follow the clock of the issuer, whose tokens are then not valid.
 */
export async function signInLater(context: IssuerContext, seconds: number) {
  await context.advanceClock(seconds)
  const signedIn = await signIn(context.portal())
  const { portal, headers } = signedIn
  const { status } = await portal.post('credential', validBody('credential', portal), headers)
  if (status === 401 || status === 403) return undefined
  return { signedIn, records: await listAsPremise(signedIn) }
}

/** A power within the allowed ones: only the first action of the first power. */
export function smallPower({ power }: Portal): readonly Power[] {
  const [first] = power
  return first ? [{ ...first, action: first.action.slice(0, 1) }] : []
}

/** Requests a credential for the representative, and reads the offer from the QR code. */
export async function requestOwnOffer(
  { portal, headers }: SignedInPortal,
  power = smallPower(portal),
): Promise<MadeOffer> {
  return requireQrOffer(await portal.post('representative', { power }, headers))
}

/** Requests a credential for the representative, and reads its offer; does not redeem it. */
export async function readOwnOffer(context: IssuerContext): Promise<ReadOffer> {
  const ordering = requestOwnOffer(await signIn(context.portal()))
  const made = await asPremise('requesting a credential (see I62)', ordering)
  return readOffer(context, { made })
}

/** The offer in the QR code of an answer to a representative. */
export function requireQrOffer(answer: HttpAnswer): MadeOffer {
  const { bytes, contentType } = requirePortalAnswer(answer, 'The request of the representative')
  const read = readQrPng(bytes)
  const link = read.ok ? findLink(read.text, 'offer')?.link : undefined
  if (link !== undefined) return { link }
  const details = { expected: 'a PNG with an offer', actual: contentType }
  endCheck(broken('The response is not a QR code of an offer.', details))
}

/** The control `portal`: a representative reads the list and gets an offer. */
export async function findPortalServed(context: IssuerContext): Promise<Finding> {
  const signedIn = await signIn(context.portal())
  await listAsPremise(signedIn)
  await asPremise('requesting a credential (see I84)', requestOwnOffer(signedIn))
  return held('A representative gets an offer.')
}

/** Requests and accepts a credential for the representative; returns its credential_id. */
export async function obtainOwnCredential(
  context: IssuerContext,
  signedIn: SignedInPortal,
): Promise<string> {
  const made = await asPremise(
    'requesting a credential for the representative (see I84)',
    requestOwnOffer(signedIn),
  )
  const id = credentialIdOf(await obtainCredential(context, { made }))
  if (typeof id === 'string') return id
  endCheck(inconclusive('The credential has no id to revoke it with: see I64.'))
}

/** The endpoints that take the Bearer token of a portal. */
export const portalEndpoints: readonly IssuanceEndpoint[] = [
  'representative',
  'employee',
  'identifiers',
  'credential',
  'credential/revoke',
]

/** Valid bodies, so that only the token can be a reason for a rejection. */
export function validBody(endpoint: IssuanceEndpoint, portal: Portal): unknown {
  const power = smallPower(portal)
  switch (endpoint) {
    case 'representative':
      return { power }
    case 'employee':
      return { email: 'nobody@example.org', power }
    case 'identifiers':
      return { subject_id: randomUUID() }
    case 'credential':
      return { organization_identifiers: [portal.organizationIdentifier] }
    default:
      return { credential_id: `urn:uuid:${randomUUID()}` }
  }
}

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
  // A Bearer token that the issuer rejects everywhere is a mistake in the target file.
  await listAsPremise(await signIn(context.portal()))
  return obtain().catch((error: unknown) => {
    const { kind, reason } = requireFinding(error)
    if (kind !== 'inconclusive') throw error
    const details = { verdictSource: 'two offers of the portal', level: 'practice' } as const
    endCheck(broken(`Offers of the portal yield no credential, but others do. ${reason}`, details))
  })
}
