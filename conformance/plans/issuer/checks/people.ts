import { isDeepStrictEqual } from 'node:util'
import { parseJws } from '#core/crypto/jws.ts'
import { findLink } from '#core/link/find-link.ts'
import { broken, defineChecks, endCheck, findEach, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { type ObtainedCredential, obtainCredential } from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'
import type { MadeOffer } from '../make-offer.ts'
import { obtainOrdered } from '../obtain-ordered.ts'
import {
  listAsPremise,
  requestOwnOffer,
  requirePortalAnswer,
  requireQrOffer,
  signIn,
  smallPower,
} from '../portal-steps.ts'
import { personClaims } from '../z-target.ts'

/** The claims that name a person. */
const optionalClaims = ['given_name', 'family_name', 'name']

/** The claims that may contain words of a name (OpenID Connect Core 1.0, 5.1). */
const personalClaims = [...optionalClaims, 'middle_name', 'nickname', 'preferred_username', 'email']

/** Someone whose names cannot be derived from the email address. */
const person = {
  organization: 'Nordlicht & Söhne',
  user_identifier: 'IDCZZ-4711',
  email: 'kit-user-1@example.org',
  given_name: 'Zoë Ann',
  family_name: "O'Hara-Núñez",
  name: "Dr. Zoë Ann O'Hara-Núñez",
}

/** Texts that identify no one, and break logs and forms. */
const unusableTexts = {
  blank: '   ',
  empty: '',
  'with a control character': 'Ana\u0007Ruiz',
  'with half of a character': 'Ana\ud800',
}

/** An email may arrive after the answer. */
const mostReads = 10

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
      'POST /issuance/employee with the address of the mailbox and one action of one power. The kit reads the email, and a wallet accepts its offer. The same request again.',
    decides:
      'The answer is 200, and its message contains the address. The email contains the link of an offer, whose credential has the requested power. The second email has another link. An email that does not arrive within ten seconds is a WARN, and so are an address that is not in mandatee, a missing record, and two offers in a row that yield no credential while others do.',
    fix: 'Email the offer to the address in the request, and answer 200 with a message that contains it. Put the address into mandate.mandatee and the requested powers into mandate.power.',
    needs: ['portal', 'mailbox'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      const { mailbox } = portal
      if (mailbox === undefined) return inconclusive('The target has no mailbox.')
      const { email } = mailbox
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      const power = smallPower(portal)
      const order = async (): Promise<MadeOffer> => {
        const earlier = findMailedLink(await mailbox.read())
        const what = 'The request for an employee'
        const answer = requirePortalAnswer(
          await portal.post('employee', { email, power }, headers),
          what,
        )
        const { message } = requireJson(answer, what)
        if (typeof message !== 'string' || !message.includes(email)) {
          const verdictSource = 'message in the answer of /issuance/employee'
          const details = { expected: `a string with ${email}`, actual: message, verdictSource }
          endCheck(broken('The message does not confirm the address.', details))
        }
        let link = findMailedLink(await mailbox.read())
        for (let read = 1; link === earlier && read < mostReads; read++) {
          await context.letPass(1)
          link = findMailedLink(await mailbox.read())
        }
        if (link !== undefined && link !== earlier) return { link }
        const actual = link === undefined ? 'no link' : 'only an earlier link'
        const details = { expected: 'the link of an offer', actual, level: 'practice' } as const
        const observed = `The mailbox has no new offer after ${mostReads} seconds.`
        endCheck(broken(observed, { ...details, verdictSource: 'read-mail' }))
      }
      const credential = await obtainOrdered(context, order)
      const added = (await listAsPremise(signedIn)).filter(({ id }) => !known.has(id))
      await order()
      const mandate = mandateOf(credential)
      const verdictSource = 'the credential of the employee'
      const actions = [mandate?.power].flat().map((each) => ({ ...each }))
      const expected = power.map((each) => ({ ...each }))
      const actual = actions.map(({ type, domain, function: task, action }) => ({
        type,
        domain,
        function: task,
        action,
      }))
      if (!isDeepStrictEqual(actual, expected)) {
        return broken('The powers are not the requested ones.', { expected, actual, verdictSource })
      }
      const mandatee: unknown = mandate?.mandatee
      if (!Object.values(Object(mandatee)).includes(email)) {
        const details = {
          expected: email,
          actual: mandatee,
          verdictSource,
          level: 'practice',
        } as const
        return broken('The address of the employee is not in mandatee.', details)
      }
      return added.length === 1
        ? held(`The offer for ${email} yields the requested power.`, { verdictSource })
        : broken('The list does not have one new record of the employee.', {
            expected: 1,
            actual: added.length,
            verdictSource: 'the list of /issuance/credential',
            level: 'practice',
          })
    },
  },
  'I168-person-of-the-token': {
    title: 'The mandate has the organization, the person and the names of each Bearer token',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.13'],
    description:
      'An issuer that stores the first person it meets, or guesses names from the address, issues mandates for someone who does not exist.',
    sends: `POST /issuance/representative with a token of another person of the organization, with ${personClaims.join(', ')} chosen by the kit. A wallet accepts the offer.`,
    decides: `The mandate contains the value of each of ${personClaims.join(', ')}, in any members.`,
    fix: 'Read organization, user_identifier, email, given_name, family_name and name from the Bearer token of each request, and copy them unchanged to the mandate.',
    needs: ['portal', 'person-claims'],
    async run(context) {
      const portal = context.portal()
      const authorization = `Bearer ${await portal.createBearerToken(person)}`
      const ordering = requestOwnOffer({ portal, headers: { authorization } })
      const made = await asPremise('requesting a credential (see I62)', ordering)
      const mandate = mandateOf(await obtainCredential(context, { made }))
      const text = JSON.stringify(mandate) ?? ''
      const verdictSource = 'mandate of the credential'
      const missing = personClaims.filter((name) => !text.includes(JSON.stringify(person[name])))
      return missing.length === 0
        ? held('It has all of them.', { verdictSource })
        : broken(`The mandate lacks the value of ${missing.join(', ')} of the token.`, {
            expected: missing.map((name) => person[name]),
            actual: mandate,
            verdictSource,
          })
    },
  },
  'I169-unusable-claims': {
    title: 'Blank texts and control characters of a Bearer token do not get into a mandate',
    level: 'practice',
    expectation: 'advice',
    rows: ['1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
    description:
      'A blank name, or one with control characters, hides who acts for an organization in every list and log.',
    sends: `POST /issuance/representative with tokens in which one of ${personClaims.join(', ')} is ${Object.keys(unusableTexts).join(', ')}. A wallet accepts the offers.`,
    decides:
      'A token with such a required claim returns 4xx. For the others, the answer is a 4xx, or the mandate has no such text.',
    fix: 'Treat a required claim that is blank or has control characters as missing: answer 400. Leave out such an optional one, or answer 400.',
    needs: ['portal', 'person-claims'],
    async run(context) {
      const portal = context.portal()
      await asPremise('requesting a credential', requestOwnOffer(await signIn(portal)))
      const power = smallPower(portal)
      const cases = [
        ...personClaims.flatMap((name) =>
          Object.entries(unusableTexts).map(([what, text]) => ({
            name,
            what,
            claims: { [name]: text },
          })),
        ),
        {
          name: 'organization',
          what: 'blank, next to a name with a control character',
          claims: { organization: '   ', given_name: 'Ana\u0007Ruiz' },
        },
      ]
      return findEach(cases, async ({ name, what, claims }) => {
        const token = await portal.createBearerToken({ ...person, ...claims })
        const headers = { authorization: `Bearer ${token}` }
        const answer = await portal.post('representative', { power }, headers)
        const described = `A token whose ${name} is ${what}`
        const isRequired = !optionalClaims.includes(name)
        if (isRequired || classifyStatus(answer.status) !== 'accepted') {
          return findRefusal(answer, { what: described })
        }
        const made = requireQrOffer(answer)
        const mandate = mandateOf(await obtainCredential(context, { made }))
        const verdictSource = 'mandate of the credential'
        return hasUnusable(mandate)
          ? broken(`${described} gets into the mandate.`, { actual: mandate, verdictSource })
          : held(`${described} does not get into the mandate.`, { verdictSource })
      })
    },
  },
  'I161-optional-claims': {
    title: 'Claims that the issuer does not require may be missing in a Bearer token',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
    description:
      'Token issuers do not know the name of each person. A mandate with "undefined" as a name is rejected by people, and an error keeps them from getting one.',
    sends: `POST /issuance/representative with tokens without ${optionalClaims.join(', ')} and power, one at a time. A wallet accepts each offer.`,
    decides:
      'Each returns 200, and no value in the mandate is empty, null, or the text "null" or "undefined". firstName and lastName of mandatee, if present, consist of words of the names and the email in the complete token.',
    fix: 'Require only organization_identifier, organization, user_identifier and email in the Bearer token. Leave out members of the mandate that have no value, or derive them.',
    needs: ['portal'],
    async run(context) {
      const portal = context.portal()
      const signedIn = await signIn(portal)
      await asPremise('requesting a credential', requestOwnOffer(signedIn))
      const complete = parseJws(signedIn.headers.authorization.slice('Bearer '.length))
      const known = complete.ok
        ? wordsIn(personalClaims.map((name) => complete.payload[name]).join(' '))
        : undefined
      return findEach([...optionalClaims, 'power'], async (omit) => {
        const authorization = `Bearer ${await portal.createBearerToken({ omit })}`
        const made = await requestOwnOffer({ portal, headers: { authorization } })
        const mandate = mandateOf(await obtainCredential(context, { made }))
        const text = JSON.stringify(mandate) ?? ''
        const verdictSource = 'mandate of the credential'
        const { firstName = '', lastName = '' } = (mandate?.mandatee ?? {}) as Names
        const invented = wordsIn(`${firstName} ${lastName}`).find((word) => !known?.includes(word))
        if (known !== undefined && invented !== undefined) {
          const details = { actual: { firstName, lastName }, verdictSource }
          return broken(
            `Without ${omit}, the mandatee has a name that the token does not contain.`,
            details,
          )
        }
        return /:(null|""|"[^"]*\b(null|undefined)\b[^"]*")/.test(text)
          ? broken(`Without ${omit}, the mandate has a member without a value.`, {
              actual: mandate,
              verdictSource,
            })
          : held(`Without ${omit}, the mandate is complete.`, { verdictSource })
      })
    },
  },
})

/** Members of mandatee in the profile. */
interface Names {
  readonly firstName?: unknown
  readonly lastName?: unknown
}

const hasUnusable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() === '' || /[\p{Cc}\p{Cs}]/u.test(value)
    : Object.values(Object(value)).some(hasUnusable)

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

interface EmployeeMandate {
  readonly mandatee?: unknown
  readonly power?: readonly Readonly<Record<string, unknown>>[]
}

const mandateOf = ({ vc }: ObtainedCredential): EmployeeMandate | undefined =>
  (vc.credentialSubject as { mandate?: EmployeeMandate } | undefined)?.mandate

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
