import { setTimeout as sleep } from 'node:timers/promises'
import { findLink } from '#core/link/find-link.ts'
import type { Power } from '#core/power/power.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import { readQrImage } from '#wallet-emulator/qr/read-qr-code.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  findEach,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise, requireFinding, requireJson } from '../../../kit/classify-answer.ts'
import {
  isSamePowers,
  mandateOf,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { MadeOffer } from '../make-offer.ts'
import { obtainOrdered } from '../obtain-ordered.ts'
import {
  listAsPremise,
  requestOwnOffer,
  requirePortalAnswer,
  type SignedInPortal,
  signIn,
  smallPower,
} from '../portal-steps.ts'

/** An email may arrive after the answer. */
const mostReads = 10

const tag = '+Kit.Tag'

const markup = '<kit-mark>'

const verdictSource = 'the credential of the employee'

export const checks = defineChecks<IssuerContext>({
  'I154-offer-by-mail': {
    title: 'An employee gets the offer by email, with the requested powers',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/credential-issuer.5',
      '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.1',
    ],
    description:
      'The representative relies on the answer that the employee was invited. A mandate with other powers, or for another person, is worse than none.',
    sends:
      'POST /issuance/employee with the address of the mailbox and one action of one power, and again with all powers. The kit reads each email, and a wallet accepts its offer.',
    decides:
      'Each answer is 200, and its message contains the address. Each email contains the link of a new offer, whose credential has the requested powers. An email that does not arrive within ten seconds is a WARN, and so are a QR code of another offer, an address that is not in mandatee, a mandate without the organization of the token, a missing record, and two offers in a row that yield no credential while others do.',
    fix: 'Email the offer to the address in the request, as a link and as its QR code, and answer 200 with a message that contains the address. Put the address into mandate.mandatee and the requested powers into mandate.power.',
    needs: ['portal', 'mailbox'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { mailbox, power: all } = signedIn.portal
      if (mailbox === undefined) return inconclusive('The target has no mailbox.')
      const { email } = mailbox
      const powers = [smallPower(signedIn.portal), all]
      return findEach(powers, async (power) => {
        if (power === all) {
          await asPremise('requesting all powers (see I145)', requestOwnOffer(signedIn, all))
        }
        const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
        let orders = 0
        const credential = await obtainOrdered(context, async () => {
          orders++
          const mail = await orderByMail(context, signedIn, { email, power })
          if (mail !== undefined) return requireSameCode(context, mail)
          const details = { expected: 'the link of a new offer', level: 'practice' } as const
          const observed = `The mailbox has no new offer after ${mostReads} seconds.`
          endCheck(broken(observed, { ...details, verdictSource: 'read-mail' }))
        })
        const added = (await listAsPremise(signedIn)).filter(({ id }) => !known.has(id))
        const actual = mandateOf(credential)?.power
        if (!isSamePowers(actual, power)) {
          const details = { expected: power, actual, verdictSource }
          return broken('The powers are not the requested ones.', details)
        }
        const { organizationIdentifier: organization } = signedIn.portal
        if (!JSON.stringify(mandateOf(credential)).includes(JSON.stringify(organization))) {
          const details = { expected: organization, verdictSource, level: 'practice' } as const
          return broken('The mandate is not of the organization that requested it.', details)
        }
        const finding = findAddress(credential, email)
        if (finding.kind !== 'held' || added.length === orders) return finding
        return broken('The list does not have one new record for each order.', {
          expected: orders,
          actual: added.length,
          verdictSource: 'the list of /issuance/credential',
          level: 'practice',
        })
      })
    },
  },
  'I174-address-unchanged': {
    title: 'The address of an employee is not changed',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.5'],
    description:
      'Only the mail server of the recipient knows whether upper case, dots and a tag matter. If the issuer changes them, another person may get the offer.',
    sends: `POST /issuance/employee with the address of the mailbox, with ${tag} before the @.`,
    decides:
      'The answer is 200, and its message contains the address. The email is sent to this address, and mandatee contains it. If no email arrives, the check is inconclusive: mail servers may not know such addresses.',
    fix: 'Accept every valid address, and copy it unchanged to the answer, the email and mandate.mandatee: with its letter case, its dots and what follows a plus sign.',
    needs: ['portal', 'mailbox'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { mailbox } = signedIn.portal
      if (mailbox === undefined) return inconclusive('The target has no mailbox.')
      const email = mailbox.email.replace('@', `${tag}@`)
      const earlier = findMailedLink(await mailbox.read())
      const order = { email, power: smallPower(signedIn.portal) }
      const mail = await orderByMail(context, signedIn, order)
      const text = mail?.text ?? (await mailbox.read())
      // Only an email with its headers shows where it was sent.
      const isElsewhere = mail
        ? text.toLowerCase().includes(email.toLowerCase())
        : findMailedLink(text) !== earlier && text.includes(mailbox.email)
      if (isElsewhere && !text.includes(email)) {
        const details = { expected: email, verdictSource: 'read-mail' }
        return broken('The email was sent to another address.', details)
      }
      if (mail === undefined) return inconclusive(`No email to ${email} arrived.`)
      return findAddress(await obtainCredential(context, { made: mail }), email)
    },
  },
  'I177-markup-in-mail': {
    title: 'Texts of a Bearer token are not markup in an email',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.endpoints/credential-issuer.5'],
    description:
      'Who can choose the name of an organization could put links and forms into an email that the employee trusts.',
    sends: `POST /issuance/employee with a token whose organization and names contain ${markup}.`,
    decides:
      'The HTML of the email does not contain it as markup. If the request is rejected, or the mailbox returns no HTML, the check is inconclusive.',
    fix: 'Escape every text from a token or a request where you insert it into the HTML of an email: organization, given_name, family_name and name.',
    needs: ['portal', 'mailbox', 'person-claims'],
    async run(context) {
      const portal = context.portal()
      const { email = '' } = portal.mailbox ?? {}
      const names = ['organization', 'given_name', 'family_name', 'name']
      const claims = Object.fromEntries(names.map((name) => [name, `Kit ${markup}`]))
      const headers = { authorization: `Bearer ${await portal.createBearerToken(claims)}` }
      const order = { email, power: smallPower(portal) }
      const ordering = orderByMail(context, { portal, headers }, order)
      const mail = await asPremise('ordering for an employee (see I154)', ordering)
      const pages = textsIn(mail?.text ?? '').flatMap(
        (text) => decodeQuotedPrintable(text).match(/<html[\s>].*?<\/html>/gis) ?? [],
      )
      if (pages.length === 0) return inconclusive('No email with HTML was read.')
      const source = { verdictSource: 'the HTML of the email' }
      return pages.some((page) => page.includes(markup))
        ? broken('The email contains names from the token as markup.', {
            actual: markup,
            ...source,
          })
        : held('The texts are escaped.', source)
    },
  },
})

/** An email with an offer. */
interface OfferMail extends MadeOffer {
  /** As the mailbox returns it. */
  readonly text: string
}

/** Orders a credential for an employee; returns the email, or undefined if none arrives. */
async function orderByMail(
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
    const source = { verdictSource: 'message in the answer of /issuance/employee' }
    endCheck(broken('The message does not confirm the address.', { ...details, ...source }))
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

/** Ends the check if the QR code in an email is not of the offer of its link. */
async function requireSameCode(context: IssuerContext, mail: OfferMail): Promise<OfferMail> {
  const links = linksInImages(mail.text)
  // The mailbox may return only the text of the email.
  if (links.length === 0 || links.includes(mail.link)) return mail
  const wallet = context.createWallet()
  const codeOf = async (link: string) =>
    (await resolveCredentialOffer(wallet, link)).preAuthorizedCode
  const expected = await asPremise('reading an offer', codeOf(mail.link))
  for (const link of links) {
    const code = await codeOf(link).catch((error: unknown) => void requireFinding(error))
    if (code === expected) return mail
  }
  const details = { verdictSource: 'the QR code in the email', level: 'practice' } as const
  endCheck(broken('The QR code and the link in the email are of different offers.', details))
}

function findAddress(credential: ObtainedCredential, email: string): Finding {
  const mandatee = mandateOf(credential)?.mandatee
  if (Object.values(Object(mandatee)).includes(email)) {
    return held(`The offer for ${email} yields its credential.`, { verdictSource })
  }
  const details = { expected: email, actual: mandatee, verdictSource, level: 'practice' } as const
  return broken('The address of the employee is not in mandatee.', details)
}

/** The beginning of a PNG or a JPEG in base64, and what follows it. */
const encodedImages = /(?:iVBORw0KGgo|\/9j\/)[\w+/\s]{100,}={0,2}/g

const mostImages = 8

/** The links of offers in the QR codes among the images of an email; there may be other images. */
function linksInImages(text: string): readonly string[] {
  const found = textsIn(text).flatMap((each) => each.match(encodedImages) ?? [])
  const images = new Set(found.map((image) => image.replace(/\s/g, '')))
  return [...images].slice(0, mostImages).flatMap((image) => {
    const read = readQrImage(Buffer.from(image, 'base64'), { timeLimitMilliseconds: 1000 })
    return (read.ok && findLink(read.text, 'offer')?.link) || []
  })
}

/** The link of an offer in an email, or in the JSON of a mail server. */
function findMailedLink(text: string): string | undefined {
  for (const each of textsIn(text)) {
    const link = findLink(decodeQuotedPrintable(each), 'offer')?.link
    if (link !== undefined) return link
  }
  return undefined
}

/** All strings of a JSON value in their order, or the text itself. */
function textsIn(text: string): readonly string[] {
  try {
    const collect = (value: unknown): string[] =>
      typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(collect)
    return collect(JSON.parse(text))
  } catch {
    return [text]
  }
}

/** RFC 2045, 6.7; other texts have no encoded equals sign. */
const decodeQuotedPrintable = (text: string): string =>
  text.includes('=3D')
    ? text
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
