import { findLink } from '#core/link/find-link.ts'
import type { Power } from '#core/power/z-power.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-png.ts'
import { requireAnswer } from '../../../classify-answer.ts'
import { broken, endCheck } from '../../../finding.ts'
import type { MadeOffer } from '../make-offer.ts'
import type { Portal } from '../open-portal.ts'

/** A portal whose representative is signed in. */
export interface SignedInPortal {
  readonly portal: Portal
  readonly headers: { readonly authorization: string }
}

/** Signs the representative in, with a token of their own. */
export async function signIn(portal: Portal): Promise<SignedInPortal> {
  return { portal, headers: { authorization: `Bearer ${await portal.createBearerToken()}` } }
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
  const { bytes, contentType } = requireAnswer(answer, 'The request of the representative')
  const read = readQrPng(bytes)
  const link = read.ok ? findLink(read.text, 'offer')?.link : undefined
  if (link !== undefined) return { link, json: undefined }
  const details = { expected: 'a PNG with an offer', actual: contentType }
  endCheck(broken('The answer is no QR code of an offer.', details))
}

/** The records of the organization, as POST /issuance/credential lists them. */
export async function listRecords({
  portal,
  headers,
}: SignedInPortal): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const json = { organization_identifiers: [portal.organizationIdentifier] }
  const answer = requireAnswer(await portal.post('credential', json, headers), 'The list')
  if (Array.isArray(answer.json)) return answer.json
  endCheck(broken('The list of credentials is no JSON array.', { actual: answer.json }))
}
