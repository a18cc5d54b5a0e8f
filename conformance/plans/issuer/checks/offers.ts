import { isDeepStrictEqual } from 'node:util'
import {
  type CredentialOffer,
  parseCredentialOffer,
  parseCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { parseIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { decodePercent } from '#core/text/decode-percent.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import {
  asPremise,
  classifyStatus,
  findRefusal,
  outageOf,
  requireJson,
} from '../../../kit/classify-answer.ts'
import { allHeld, findEach } from '../../../kit/find-each.ts'
import { findGuessable } from '../../../kit/guessable-values.ts'
import { withOther } from '../../../kit/near-misses.ts'
import type { IssuerContext } from '../context.ts'
import { readMetadata } from '../metadata.ts'

const verdictSource = "the offer's link"

const withoutSlash = (url: string) => url.replace(/\/$/, '')

const samples = 8

/** 128 bits need as many characters of base64url. */
const shortest = 22

export const checks = defineChecks<IssuerContext>({
  'I05-offer-by-value': {
    title: 'A link by value contains an offer of the pre-authorized code flow',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.1',
      '1.resources-and-their-fields/credential-offer-object.3',
      '1.resources-and-their-fields/credential-offer-object.5',
    ],
    clauses: ['OpenID4VCI 1.0, 4.1.2', 'OpenID4VCI 1.0, 12.2.4'],
    description: 'The link is all that a wallet gets: it cannot correct a wrong link.',
    sends: 'Creates an offer (create-offer) and reads its link.',
    decides:
      'credential_offer contains URL-encoded JSON with credentials, the code in its grant, and the credential_issuer of the target. If only a slash at its end differs from that of the metadata, that is a WARN: it matters in OpenID4VCI, but the profile does not mention it.',
    fix: 'Create the link openid-credential-offer://?credential_offer=… with URL-encoded JSON: credential_issuer as in the metadata, credentials, and grants with a pre-authorized_code.',
    async run(context) {
      const { link } = await context.createOffer()
      const { credentialIssuer, preAuthorizedCode } = offerInLink(link)
      const verdictSource = "the offer's link"
      if (preAuthorizedCode === undefined) {
        return broken('The offer has no grant with a pre-authorized code.', { verdictSource })
      }
      if (withoutSlash(credentialIssuer) !== withoutSlash(context.credentialIssuer)) {
        return broken('The issuer of the offer is not the target.', {
          expected: context.credentialIssuer,
          actual: credentialIssuer,
          verdictSource,
        })
      }
      if (credentialIssuer !== context.credentialIssuer) {
        const { credential_issuer: expected } = await readMetadata(context)
        if (credentialIssuer !== expected) {
          const details = { expected, actual: credentialIssuer, verdictSource }
          return broken('credential_issuer of the offer is not that of the metadata.', {
            ...details,
            level: 'final',
          })
        }
      }
      return held('The link contains a complete offer.', { verdictSource })
    },
  },
  'I06-offer-by-reference': {
    title: 'An offer by reference can be read repeatedly',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-offer-object.6', '1.endpoints.1'],
    clauses: ['OpenID4VCI 1.0, 4.1.3'],
    description:
      'Wallets read an offer again when their holder returns to it, and link previews read it before them.',
    sends:
      'Creates two offers by reference, then sends GET twice to the address in the first link, and once to that in the second one.',
    decides:
      '200 with content type JSON and an offer as documented, with another code for the second link. If the second response at the first address is an error or a different offer, that is a WARN: the profile does not require it.',
    fix: 'Serve the offer at credential_offer_uri with status 200 and Content-Type application/json. Return the same offer to every GET: reading it must not use it up.',
    needs: ['reference'],
    async run(context) {
      const { link } = await context.createOffer('reference')
      const address = addressInLink(link)
      const read = () => context.http.request(address, { headers: { accept: 'application/json' } })
      const answer = await read()
      const first = requireJson(answer, 'Reading the offer')
      const verdictSource = 'the response at credential_offer_uri'
      if (!/^application\/json\b/i.test(answer.contentType)) {
        return broken('The content type of the offer is not JSON.', {
          expected: 'application/json',
          actual: answer.contentType,
          verdictSource,
        })
      }
      const parsed = parseCredentialOffer(first)
      if (!parsed.ok) {
        const { failures } = parsed
        return broken('The response is not an offer as documented.', { failures, verdictSource })
      }
      const again = await read()
      const kind = classifyStatus(again.status)
      if (kind !== 'accepted' && kind !== 'refused') {
        return inconclusive(`The second response was HTTP ${again.status}.`, {
          verdictSource,
          ...outageOf(again.status),
        })
      }
      if (again.status !== 200 || !isDeepStrictEqual(first, again.json)) {
        return broken('The second response is an error or a different offer.', {
          expected: first,
          actual: again.json ?? again.status,
          verdictSource,
          level: 'practice',
        })
      }
      const another = addressInLink((await context.createOffer('reference')).link)
      const second = requireJson(await context.http.request(another), 'Reading another offer')
      const other = parseCredentialOffer(second)
      return other.ok && other.offer.preAuthorizedCode !== parsed.offer.preAuthorizedCode
        ? held('Each address has its own offer.', { verdictSource })
        : broken('At the address of another offer there is no other offer.', {
            expected: 'an offer with another code',
            actual: second,
            verdictSource,
          })
    },
  },
  'I167-similar-reference': {
    title: 'An address that only resembles that of an offer has no offer',
    level: 'practice',
    expectation: 'refuse',
    control: 'offer',
    rows: ['1.resources-and-their-fields/credential-offer-object.6'],
    clauses: ['OpenID4VCI 1.0, 4.1.3', 'RFC 6749, 10.10'],
    description:
      'Who reads an offer gets its code. A lenient look-up makes the address easier to guess, and a wallet cannot explain a crash to its holder.',
    sends:
      'Creates an offer by reference, and sends GET to addresses that differ from the one in its link in one character, are shorter or longer.',
    decides: 'Each is answered with a 4xx, while the address in the link has the offer.',
    fix: 'Look up an offer by the exact name in its address. Return 404 if there is none.',
    needs: ['reference'],
    async run(context) {
      const address = addressInLink((await context.createOffer('reference')).link)
      const at = address.length - 5
      const similar = [
        `${address.slice(0, at)}${withOther(address.slice(at), 0)}`,
        address.slice(0, -1),
        `${address}x`,
      ]
      const finding = await findEach(similar, async (url) =>
        findRefusal(await context.http.request(url), { what: `GET of ${new URL(url).pathname}` }),
      )
      if (finding.kind !== 'held') return finding
      await asPremise(
        'reading the offer',
        context.http.request(address).then((answer) => requireJson(answer, 'The offer')),
      )
      return finding
    },
  },
  'I07-offered-in-metadata': {
    title: 'The offered credentials are in the metadata',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-offer-object.2'],
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description: 'With an id that is not in the metadata, a wallet cannot request a credential.',
    sends: 'Creates an offer, reads its link and the metadata.',
    decides: 'Each element of credentials is the id of an entry of credentials_supported.',
    fix: 'Put only ids from credentials_supported into credentials of the offer: add the missing entry to the metadata, or correct the id in the offer.',
    async run(context) {
      const metadata = parseIssuerMetadata(await readMetadata(context), context.credentialIssuer)
      if (!metadata.ok) return inconclusive('The metadata cannot be read: see I01 to I04.')
      const { link } = await context.createOffer()
      const parsed = parseCredentialOfferUri(link)
      if (!parsed.ok || parsed.delivery === 'reference') {
        return inconclusive('The link does not contain an offer by value: see I05.')
      }
      const { credentials } = parsed.offer
      const known = metadata.metadata.credentialsSupported.map(({ id }) => id)
      const unknown = credentials.filter((id) => !known.includes(id))
      const verdictSource = 'credentials in the offer'
      return unknown.length === 0
        ? held(`Known: ${credentials.join(', ')}.`, { verdictSource })
        : broken(`The metadata does not contain the offered ${unknown.join(', ')}.`, {
            expected: known,
            actual: credentials,
            verdictSource,
          })
    },
  },
  'I90-pin-not-in-offer': {
    title: 'The PIN is not in the offer',
    level: 'practice',
    expectation: 'accept',
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'It must be sent separately: otherwise an attacker who photographs the QR code also has the PIN.',
    sends: 'Creates an offer with a PIN, and a second one if the first contains its PIN.',
    decides:
      'One of the offers must not contain its PIN outside the code. A single match can be chance.',
    fix: 'Send the PIN only through another channel, such as an email. Remove it from the offer, including description of tx_code.',
    needs: ['pin'],
    async run(context) {
      const verdictSource = "the offer's link"
      // A group of a UUID, or a port, may equal one PIN by chance.
      for (let offers = 0; offers < 2; offers++) {
        const ordering = context.createOffer('pin')
        const { link, pin = '' } = await asPremise('ordering an offer with a PIN', ordering)
        const text = (decodePercent(link) ?? link).replace(/"pre-authorized_code":\s*"[^"]*"/, '')
        const isShown = text.split(/[^A-Za-z0-9]+/).includes(pin)
        if (!isShown) return held('The link does not contain the PIN.', { verdictSource })
      }
      return broken('The offer contains the PIN.', { verdictSource })
    },
  },
  'I92-codes-unpredictable': {
    title: 'Codes, and addresses of offers by reference, cannot be guessed',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 6749, 10.10'],
    description:
      'An attacker needs only the code to get the credential of another holder. The offer at a guessed address contains it.',
    sends: `Creates ${samples} offers; if the target supports it, also by reference.`,
    decides: `The codes differ in about 100 bits or more, and so do the addresses. Each code has at least ${shortest} characters, the length of 128 bits.`,
    fix: `Create each pre-authorized_code, and the id in each credential_offer_uri, from a cryptographic random source, with at least 128 bits: ${shortest} characters of base64url.`,
    async run(context) {
      const codes: string[] = []
      for (let sample = 0; sample < samples; sample++) {
        const parsed = parseCredentialOfferUri((await context.createOffer()).link)
        const code = parsed.ok && parsed.delivery === 'value' && parsed.offer.preAuthorizedCode
        if (!code) return inconclusive('The link does not contain a code: see I05.')
        codes.push(code)
      }
      const verdictSource = "the codes in the offers' links"
      const lengths = codes.map(({ length }) => length)
      if (lengths.some((length) => length < shortest)) {
        return broken('A code is too short.', {
          expected: shortest,
          actual: lengths,
          verdictSource,
        })
      }
      const found = findGuessable('the code', codes, { verdictSource })
      if (found.kind !== 'held' || !context.can('reference')) return found
      const addresses: string[] = []
      for (let sample = 0; sample < samples; sample++) {
        addresses.push(addressInLink((await context.createOffer('reference')).link))
      }
      const source = 'the addresses of offers by reference'
      const reference = findGuessable('the address of an offer', addresses, {
        verdictSource: source,
      })
      return reference.kind === 'held' ? allHeld([found, reference]) : reference
    },
  },
})

/** The address in a link by reference; if there is none, the check ends as broken. */
function addressInLink(link: string): string {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(
      broken('The link does not contain the address of an offer.', { failures, verdictSource }),
    )
  }
  if (parsed.delivery === 'reference') return parsed.credentialOfferUri
  const problem = 'create-offer-by-reference created an offer by value'
  const details = { expected: 'credential_offer_uri', verdictSource, level: 'practice' } as const
  endCheck(broken(`${problem}. It must create an offer by reference.`, details))
}

/** The offer of a link by value; if it is invalid, the check ends as broken. */
function offerInLink(link: string): CredentialOffer {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(
      broken('The link does not contain an offer as documented.', { failures, verdictSource }),
    )
  }
  if (parsed.delivery === 'value') return parsed.offer
  const problem = 'create-offer created an offer by reference'
  const details = { expected: 'credential_offer', verdictSource, level: 'practice' } as const
  endCheck(broken(`${problem}. For this check it must create an offer by value.`, details))
}
