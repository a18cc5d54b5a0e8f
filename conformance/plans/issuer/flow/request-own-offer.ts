import { findLink } from '#core/link/find-link.ts'
import { readQrPng } from '#wallet-emulator/qr/read-qr-code.ts'
import { broken, endCheck } from '../../../kit/check.ts'
import type { MadeOffer } from '../make-offer.ts'
import { requirePortalAnswer } from './require-portal-answer.ts'
import type { SignedInPortal } from './sign-in.ts'
import { smallPower } from './small-power.ts'

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
