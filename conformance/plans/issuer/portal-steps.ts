import { findLink } from '#core/link/find-link.ts'
import type { Power } from '#core/power/power.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, requireAnswer } from '../../kit/classify-answer.ts'
import { credentialIdOf, obtainCredential } from './credentials.ts'
import type { IssuerContext } from './issuer-context.ts'
import type { MadeOffer } from './make-offer.ts'
import type { Portal } from './open-portal.ts'

/** A portal whose representative is signed in. */
interface SignedInPortal {
  readonly portal: Portal
  readonly headers: { readonly authorization: string }
}

/** Signs the representative in, with a token of their own. */
export async function signIn(portal: Portal): Promise<SignedInPortal> {
  return { portal, headers: { authorization: `Bearer ${await portal.createBearerToken()}` } }
}

/**
 * As `requireAnswer`, where the target's own Bearer token was sent: one that is not taken may be the
 * fault of whoever wrote the target file.
 */
export function requirePortalAnswer(answer: HttpAnswer, what: string): HttpAnswer {
  const { status } = answer
  if (status !== 401 && status !== 403) return requireAnswer(answer, what)
  const told = `${what} was refused: HTTP ${status}`
  endCheck(inconclusive(`${told}. Is the token good that create-bearer-token of the target gives?`))
}

/** The records of the organization, as POST /issuance/credential lists them. */
export async function listRecords({
  portal,
  headers,
}: SignedInPortal): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const json = { organization_identifiers: [portal.organizationIdentifier] }
  const answer = requirePortalAnswer(await portal.post('credential', json, headers), 'The list')
  if (Array.isArray(answer.json)) return answer.json
  endCheck(broken('The list of credentials is no JSON array.', { actual: answer.json }))
}

/** A power out of what may be granted: of the first one the first action alone. */
export function smallPower({ power }: Portal): readonly Power[] {
  const [first] = power
  return first ? [{ ...first, action: first.action.slice(0, 1) }] : []
}

/** A representative asks for a credential of their own and reads the offer from the QR code. */
export async function requestOwnOffer(
  { portal, headers }: SignedInPortal,
  power = smallPower(portal),
): Promise<MadeOffer> {
  const answer = await portal.post('representative', { power }, headers)
  const { bytes, contentType } = requirePortalAnswer(answer, 'The request of the representative')
  const read = readQrPng(bytes)
  const link = read.ok ? findLink(read.text, 'offer')?.link : undefined
  if (link !== undefined) return { link }
  const details = { expected: 'a PNG with an offer', actual: contentType }
  endCheck(broken('The answer is no QR code of an offer.', details))
}

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
