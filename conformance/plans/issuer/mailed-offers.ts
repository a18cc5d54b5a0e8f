import { setTimeout as sleep } from 'node:timers/promises'
import { findLink } from '#core/link/find-link.ts'
import type { Power } from '#core/power/power.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import { broken, endCheck, inconclusive } from '../../kit/check.ts'
import { asPremise, requireJson } from '../../kit/classify-answer.ts'
import type { IssuerContext } from './context.ts'
import type { MadeOffer } from './make-offer.ts'
import { requirePortalAnswer, type SignedInPortal, signIn, smallPower } from './portal-steps.ts'
import { type ReadOffer, readOffer } from './redeeming.ts'

/** An email may arrive after the answer. */
export const mostReads = 10

/** Before the @ of an address, for a second one of the same mailbox. */
export const tag = '+Kit.Tag'

/** An email with an offer. */
export interface OfferMail extends MadeOffer {
  /** As the mailbox returns it. */
  readonly text: string
}

/** Orders a credential for an employee; returns the email, or undefined if none arrives. */
export async function orderByMail(
  context: IssuerContext,
  { portal, headers }: SignedInPortal,
  json: { readonly email: string; readonly power: readonly Power[] },
): Promise<OfferMail | undefined> {
  const { email } = json
  const readMail = async () => (await portal.mailbox?.read(email)) ?? ''
  const earlier = findMailedLink(await readMail())
  const what = 'The request for an employee'
  const answer = requirePortalAnswer(await portal.post('employee', json, headers), what)
  const { message } = requireJson(answer, what)
  if (typeof message !== 'string' || !message.includes(email)) {
    const details = { expected: `a string with ${email}`, actual: message }
    const source = { verdictSource: 'message in the response of /issuance/employee' }
    endCheck(broken('The message does not confirm the address.', { ...details, ...source }))
  }
  if (findMailedLink(answer.text) !== undefined) {
    const source = {
      verdictSource: 'the response of /issuance/employee',
      level: 'practice',
    } as const
    endCheck(broken('The response shows the offer of the employee to the representative.', source))
  }
  for (let read = 1; read <= mostReads; read++) {
    // A target that moves the clock still needs time to deliver the email.
    if (read > 1)
      await Promise.all([context.letPass(1), sleep(1000, undefined, { signal: context.signal })])
    const text = await readMail()
    const link = findMailedLink(text)
    if (link !== undefined && link !== earlier) return { link, text }
  }
  return undefined
}

/** Orders a credential for an employee, and reads the offer in the email; does not redeem it. */
export async function readEmployeeOffer(context: IssuerContext): Promise<ReadOffer> {
  const signedIn = await signIn(context.portal())
  const { mailbox } = signedIn.portal
  const order = { email: mailbox?.email ?? '', power: smallPower(signedIn.portal) }
  const ordering = orderByMail(context, signedIn, order)
  const made = await asPremise('ordering for an employee (see I154)', ordering)
  if (made) return readOffer(context, { made })
  endCheck(inconclusive('No email with an offer was read: see I154.'))
}

/** The beginning of a PNG or a JPEG in base64, and what follows it. */
const encodedImages = /(?:iVBORw0KGgo|\/9j\/)[\w+/\s]{100,}={0,2}/g

const mostImages = 8

/** The links of offers in the QR codes among the images of an email; there may be other images. */
export function linksInImages(text: string): readonly string[] {
  const found = textsIn(text).flatMap((each) => each.match(encodedImages) ?? [])
  const images = new Set(found.map((image) => image.replace(/\s/g, '')))
  return [...images].slice(0, mostImages).flatMap((image) => {
    const read = readQrImage(Buffer.from(image, 'base64'), { timeLimitMilliseconds: 1000 })
    return (read.ok && findLink(read.text, 'offer')?.link) || []
  })
}

/** The link of an offer in an email, or in the JSON of a mail server. */
export function findMailedLink(text: string): string | undefined {
  for (const each of textsIn(text)) {
    const link = findLink(decodeQuotedPrintable(each), 'offer')?.link
    if (link !== undefined) return link
  }
  return undefined
}

/** All strings of a JSON value in their order, or the text itself. */
export function textsIn(text: string): readonly string[] {
  try {
    const collect = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(collect)
    return collect(JSON.parse(text))
  } catch {
    return [text]
  }
}

/** RFC 2045, 6.7; other texts have no encoded equals sign. */
export const decodeQuotedPrintable = (text: string): string =>
  text.includes('=3D')
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
