import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import {
  broken,
  defineChecks,
  endCheck,
  type Finding,
  held,
  inconclusive,
} from '../../../kit/check.ts'
import { asPremise, requireFinding } from '../../../kit/classify-answer.ts'
import { findEach, requireEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import {
  employeeIdOf,
  isSamePowers,
  mandateOf,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import {
  decodeQuotedPrintable,
  findMailedLink,
  linksInImages,
  mostReads,
  type OfferMail,
  orderByMail,
  tag,
  textsIn,
} from '../mailed-offers.ts'
import {
  claimsOf,
  listAsPremise,
  obtainOrdered,
  requestOwnOffer,
  signIn,
  smallPower,
} from '../portal-steps.ts'

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
      'The representative relies on the response that the employee was invited. A mandate with other powers, or for another person, is worse than none.',
    sends:
      'POST /issuance/employee with the address of the mailbox and one action of one power, and again with all powers. The kit reads each email, and a wallet accepts its offer. If the target has a second organization, also requests that name it.',
    decides:
      'Each response is 200, and its message contains the address. Each email contains the link of a new offer, whose credential has the requested powers. An email that does not arrive within ten seconds is a WARN, and so are a response with the offer, a QR code of another offer, an address that is not in mandatee, a mandate without the organization of the token, an employeeId that is a claim of the token, a missing record, a mandate of the organization that only the request names, and two offers in a row that yield no credential while others do.',
    fix: 'Email the offer to the address in the request, as a link and as its QR code, and return 200 with a message that contains the address. Put the address and an employeeId of the employee into mandate.mandatee, and the requested powers into mandate.power.',
    needs: ['portal', 'mailbox'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { mailbox, power: all } = signedIn.portal
      if (mailbox === undefined) return inconclusive('The target has no mailbox.')
      const { email } = mailbox
      const powers = [smallPower(signedIn.portal), all]
      const finding = await findEach(powers, async (power) => {
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
        const claims = claimsOf(signedIn)
        const employeeId = employeeIdOf(credential)
        if (claims.email !== email && Object.values(claims).includes(employeeId)) {
          const observed = 'The employeeId is a claim of the representative, not of the employee.'
          const details = { actual: employeeId, verdictSource, level: 'practice' } as const
          return broken(observed, details)
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
      const { other } = signedIn.portal
      if (finding.kind !== 'held' || !other) return finding
      await requireEach([powers[0] ?? [], smallPower(other)], async (power) => {
        const { organizationIdentifier: named } = other
        const order = { email, power, organization_identifier: named }
        const mail = await orderByMail(context, signedIn, order).catch(
          // An issuer may reject members that it does not know.
          (error: unknown) => void requireFinding(error),
        )
        if (mail === undefined) return
        const mandate = mandateOf(await obtainCredential(context, { made: mail }))
        if (!JSON.stringify(mandate).includes(JSON.stringify(named))) return
        const details = { actual: named, verdictSource, level: 'practice' } as const
        return broken('The organization of the mandate comes from the request.', details)
      })
      return finding
    },
  },
  'I174-address-unchanged': {
    title: 'The address of an employee is not changed',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.5'],
    description:
      'Only the mail server of the recipient knows whether upper case, dots and a tag matter. If the issuer changes them, another person may get the offer.',
    sends: `POST /issuance/employee with the address of the mailbox, with ${tag} before the @, and then without it.`,
    decides:
      'The response is 200, and its message contains the address. The email is sent to this address, and mandatee contains it. The credentials of both addresses have different employeeIds. If no email arrives, the check is inconclusive: mail servers may not know such addresses.',
    fix: 'Accept every valid address, and copy it unchanged to the response, the email and mandate.mandatee: with its case, its dots and what follows a plus sign.',
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
        return broken(`The email was sent to an address other than ${email}.`, details)
      }
      if (mail === undefined) return inconclusive(`No email to ${email} arrived.`)
      const credential = await obtainCredential(context, { made: mail })
      const finding = findAddress(credential, email)
      if (finding.kind !== 'held') return finding
      const other = await orderByMail(context, signedIn, { ...order, email: mailbox.email })
      if (other === undefined) return inconclusive(`No email to ${mailbox.email} arrived.`)
      const another = await obtainCredential(context, { made: other })
      const actual = employeeIdOf(credential)
      return actual === undefined || actual !== employeeIdOf(another)
        ? finding
        : broken('Two employees have the same employeeId.', { actual, verdictSource })
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
      const pages = textsIn(mail?.text ?? '')
        .flatMap((text) => decodeQuotedPrintable(text).split(/(?<=<\/html>)/i))
        .filter((text) => /<\/html>$/i.test(text))
        .flatMap((text) => text.match(/<html[\s>].*/is) ?? [])
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
