import { isDeepStrictEqual } from 'node:util'
import { parseJws } from '#core/crypto/jws.ts'
import { findLink } from '#core/link/find-link.ts'
import { broken, defineChecks, findEach, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, requireJson } from '../../../kit/classify-answer.ts'
import { type ObtainedCredential, obtainCredential } from '../credentials.ts'
import type { IssuerContext } from '../issuer-context.ts'
import {
  listAsPremise,
  requestOwnOffer,
  requirePortalAnswer,
  signIn,
  smallPower,
} from '../portal-steps.ts'

/** The claims that name a person. */
const optionalClaims = ['given_name', 'family_name', 'name']

/** The claims that may contain words of a name (OpenID Connect Core 1.0, 5.1). */
const personalClaims = [...optionalClaims, 'middle_name', 'nickname', 'preferred_username', 'email']

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
      'POST /issuance/employee with the address of the mailbox and one action of one power. The kit reads the email, and a wallet accepts its offer.',
    decides:
      'The answer is 200, and its message contains the address. The email contains the link of an offer, whose credential has the requested power. An email that does not arrive within ten seconds is a WARN, and so are an address that is not in mandatee and a missing record.',
    fix: 'Email the offer to the address in the request, and answer 200 with a message that contains it. Put the address into mandate.mandatee and the requested powers into mandate.power.',
    needs: ['portal', 'mailbox'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { portal, headers } = signedIn
      const { mailbox } = portal
      if (mailbox === undefined) return inconclusive('The target has no mailbox.')
      const { email } = mailbox
      const known = new Set((await listAsPremise(signedIn)).map(({ id }) => id))
      const earlier = findMailedLink(await mailbox.read())
      const power = smallPower(portal)
      const what = 'The request for an employee'
      const answer = requirePortalAnswer(
        await portal.post('employee', { email, power }, headers),
        what,
      )
      const { message } = requireJson(answer, what)
      if (typeof message !== 'string' || !message.includes(email)) {
        const verdictSource = 'message in the answer of /issuance/employee'
        const details = { expected: `a string with ${email}`, actual: message, verdictSource }
        return broken('The message does not confirm the address.', details)
      }
      let link = findMailedLink(await mailbox.read())
      for (let read = 1; link === earlier && read < mostReads; read++) {
        await context.letPass(1)
        link = findMailedLink(await mailbox.read())
      }
      if (link === undefined || link === earlier) {
        const actual = link === undefined ? 'no link' : 'only an earlier link'
        const details = { expected: 'the link of an offer', actual, level: 'practice' } as const
        const verdictSource = 'read-mail'
        return broken(`The mailbox has no new offer after ${mostReads} seconds.`, {
          ...details,
          verdictSource,
        })
      }
      const accepting = obtainCredential(context, { made: { link } })
      const credential = await asPremise('accepting the emailed offer', accepting)
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
      const added = (await listAsPremise(signedIn)).filter(({ id }) => !known.has(id))
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
  'I161-optional-claims': {
    title: 'Claims that the issuer does not require may be missing in a Bearer token',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/token-claims-required-by-the-issuer.1'],
    description:
      'Token issuers do not know the name of each person. A mandate with "undefined" as a name is rejected by people, and an error keeps them from getting one.',
    sends: `POST /issuance/representative with tokens without ${optionalClaims.join(', ')}, one at a time. A wallet accepts each offer.`,
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
      return findEach(optionalClaims, async (omit) => {
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
