import { parseJws } from '#core/crypto/jws.ts'
import { broken, defineChecks, type Finding, held } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  requireFinding,
} from '../../../kit/classify-answer.ts'
import { findEach } from '../../../kit/find-each.ts'
import type { IssuerContext } from '../context.ts'
import {
  credentialIdOf,
  employeeIdOf,
  isSamePowers,
  mandateOf,
  type ObtainedCredential,
  obtainCredential,
} from '../credentials.ts'
import {
  obtainOrdered,
  requestOwnOffer,
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

const unpaired = 'with an unpaired surrogate'

/** Texts that identify no one, and break logs and forms. */
const unusableTexts = {
  blank: '   ',
  // A no-break and an ideographic space, which remain if only ASCII is trimmed.
  'only Unicode spaces': '\u00a0\u3000',
  empty: '',
  'with a control character': 'Ana\u0007Ruiz',
  [unpaired]: 'Ana\ud800',
}

export const checks = defineChecks<IssuerContext>({
  'I168-person-of-the-token': {
    title: 'The mandate has the organization, the person and the names of each Bearer token',
    level: 'practice',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.13'],
    description:
      'An issuer that stores the first person it meets, or guesses names from the address, issues mandates for someone who does not exist.',
    sends: `POST /issuance/representative with a token of another person of the organization, with ${personClaims.join(', ')} chosen by the kit, and with one whose organization has a name of digits. A wallet accepts the offers.`,
    decides: `The mandate contains the value of each of ${personClaims.join(', ')}, in any members; those for first and last name are not exchanged.`,
    fix: 'Read organization, user_identifier, email, given_name, family_name and name from the Bearer token of each request, and copy them unchanged to the mandate, as strings.',
    needs: ['portal', 'person-claims'],
    async run(context) {
      const mandate = await obtainMandate(context, person)
      const finding = findMissingTexts(mandate, person)
      if (finding.kind !== 'held') return finding
      const inDigits = { ...person, organization: '0711' }
      const found = findMissingTexts(await obtainMandate(context, inDigits), inDigits)
      if (found.kind !== 'held') return found
      const placed = (JSON.stringify(mandate) ?? '').toLowerCase().replaceAll('_', '')
      const isIn = (members: readonly string[], value: string) =>
        members.some((name) => placed.includes(`"${name}":${JSON.stringify(value).toLowerCase()}`))
      const isExchanged =
        isIn(['firstname', 'givenname'], person.family_name) ||
        isIn(['lastname', 'familyname'], person.given_name)
      return isExchanged
        ? broken('First name and last name are exchanged.', {
            actual: mandate,
            verdictSource: 'mandate of the credential',
          })
        : finding
    },
  },
  'I173-two-offers-of-a-person': {
    title: 'A person who requests two offers can accept both',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.endpoints/credential-issuer.4', '1.endpoints/credential-issuer.13'],
    description:
      'A representative who needs another power requests a second credential. An issuer that stores the powers of a person, and not of an order, changes the first one.',
    sends:
      'A representative requests one action of one power, and then all powers. Wallets accept the second offer, and then the first one.',
    decides:
      'Each credential has the powers of its order. If the first offer repeatedly yields no credential, both have the same id, or their employeeIds differ, that is a WARN.',
    fix: 'Store the powers and the credential_id with the record of each order, and find it by the code of the offer. Do not look them up by person or organization. Set employeeId to the same value for the same user_identifier.',
    needs: ['portal'],
    async run(context) {
      const signedIn = await signIn(context.portal())
      const { power: all } = signedIn.portal
      const small = smallPower(signedIn.portal)
      const verdictSource = 'the credentials of two offers'
      const later: ObtainedCredential[] = []
      const first = await obtainOrdered(context, async () => {
        const made = await asPremise('requesting a credential', requestOwnOffer(signedIn, small))
        const ordering = requestOwnOffer(signedIn, all)
        const other = await asPremise('requesting all powers (see I145)', ordering)
        later.push(await obtainCredential(context, { made: other }))
        return made
      })
      const second = later.at(-1) ?? first
      for (const { credential, expected } of [
        { credential: first, expected: small },
        { credential: second, expected: all },
      ]) {
        const actual = mandateOf(credential)?.power
        if (isSamePowers(actual, expected)) continue
        const details = { expected, actual, verdictSource }
        return broken('A credential does not have the powers of its order.', details)
      }
      const [person, another] = [employeeIdOf(first), employeeIdOf(second)]
      if (person !== another) {
        return broken('The same person has two employeeIds, and so logs in as two people.', {
          expected: person,
          actual: another,
          verdictSource,
          level: 'practice',
        })
      }
      const [id, other] = [credentialIdOf(first), credentialIdOf(second)]
      return id !== other
        ? held('Each has its own powers and id.', { verdictSource })
        : broken('Both credentials have the same id.', {
            expected: 'different ids',
            actual: id,
            verdictSource,
            level: 'practice',
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
      'A token with such a required claim returns 4xx. For the others, the response is a 4xx, or the mandate has no such text.',
    fix: 'Treat a required claim that is blank or has control characters as missing: return 400. Leave out such an optional one, or return 400.',
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
        const creating = portal.createBearerToken({ ...person, ...claims })
        const token = await creating.catch(requireFinding)
        if (typeof token !== 'string') {
          // A surrogate cannot be in an argument, nor in the strings of every language.
          return what === unpaired
            ? held(`create-bearer-token creates no token whose ${name} is ${unpaired}.`)
            : token
        }
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

/** The mandate of a representative whose token has these claims. */
async function obtainMandate(context: IssuerContext, claims: typeof person) {
  const portal = context.portal()
  const authorization = `Bearer ${await portal.createBearerToken(claims)}`
  const ordering = requestOwnOffer({ portal, headers: { authorization } })
  const made = await asPremise('requesting a credential (see I62)', ordering)
  return mandateOf(await obtainCredential(context, { made }))
}

/** Finds claims that the mandate does not have as strings: PHP and YAML turn digits into numbers. */
function findMissingTexts(mandate: ReturnType<typeof mandateOf>, claims: typeof person): Finding {
  const text = JSON.stringify(mandate) ?? ''
  const verdictSource = 'mandate of the credential'
  const missing = personClaims.filter((name) => !text.includes(JSON.stringify(claims[name])))
  if (missing.length === 0) return held('It has all of them.', { verdictSource })
  return broken(`The mandate lacks the value of ${missing.join(', ')} of the token.`, {
    expected: missing.map((name) => claims[name]),
    actual: mandate,
    verdictSource,
  })
}

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
