import { isDeepStrictEqual } from 'node:util'
import {
  type CredentialOffer,
  parseCredentialOffer,
  parseCredentialOfferUri,
} from '#core/oid4vci/credential-offer.ts'
import { parseIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { classifyStatus, requireJson } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { readMetadata } from '../metadata.ts'

const verdictSource = "the offer's link"

const withoutSlash = (url: string) => url.replace(/\/$/, '')

const samples = 8

/** 128 bits need as many characters of base64url. */
const shortest = 22

export const checks = defineChecks<IssuerContext>({
  'I05-offer-by-value': {
    title: 'A link by value carries an offer of the pre-authorized code flow',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.1',
      '1.resources-and-their-fields/credential-offer-object.3',
      '1.resources-and-their-fields/credential-offer-object.5',
    ],
    clauses: ['OpenID4VCI 1.0, 4.1.2'],
    description: 'The link is all that a holder scans: what is wrong in it, no wallet can mend.',
    sends: 'Has an offer made (create-offer) and reads its link.',
    decides:
      'credential_offer holds URL-encoded JSON with credentials, the code in its grant, and the credential_issuer of the target; of a slash at its end I02 speaks.',
    async run(context) {
      const { link } = await context.createOffer()
      const { credentialIssuer, preAuthorizedCode } = offerInLink(link)
      const verdictSource = "the offer's link"
      if (preAuthorizedCode === undefined) {
        return broken('The offer has no grant with a pre-authorized code.', { verdictSource })
      }
      if (withoutSlash(credentialIssuer) !== withoutSlash(context.credentialIssuer)) {
        return broken('The offer is of another issuer than the target.', {
          expected: context.credentialIssuer,
          actual: credentialIssuer,
          verdictSource,
        })
      }
      return held('The link holds a whole offer.', { verdictSource })
    },
  },
  'I06-offer-by-reference': {
    title: 'The offer behind a link by reference can be read as often as wanted',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-offer-object.6', '1.endpoints.1'],
    clauses: ['OpenID4VCI 1.0, 4.1.3'],
    description:
      'Wallets read an offer again when their holder comes back to it, and previews of links read it before them.',
    sends: 'Has an offer made by reference, and twice GET of the address in its link.',
    decides:
      '200 with content type JSON and an offer as documented. That it is not there a second time, or is another one then, is a WARN: no sentence demands it.',
    needs: ['reference'],
    async run(context) {
      const { link } = await context.createOffer('reference')
      const address = addressInLink(link)
      const read = () => context.http.request(address, { headers: { accept: 'application/json' } })
      const answer = await read()
      const first = requireJson(answer, 'Reading the offer')
      const verdictSource = 'the answer at credential_offer_uri'
      if (!/^application\/json\b/i.test(answer.contentType)) {
        return broken('The offer does not come as JSON.', {
          expected: 'application/json',
          actual: answer.contentType,
          verdictSource,
        })
      }
      const parsed = parseCredentialOffer(first)
      if (!parsed.ok) {
        const { failures } = parsed
        return broken('What is there is no offer as documented.', { failures, verdictSource })
      }
      const again = await read()
      const kind = classifyStatus(again.status)
      if (kind !== 'accepted' && kind !== 'refused') {
        return inconclusive(`The second time it was answered HTTP ${again.status}.`, {
          verdictSource,
        })
      }
      return again.status === 200 && isDeepStrictEqual(first, again.json)
        ? held('It is there twice, and the same.', { verdictSource })
        : broken('The second time it is not there, or is another offer.', {
            expected: first,
            actual: again.json ?? again.status,
            verdictSource,
            level: 'practice',
          })
    },
  },
  'I07-offered-in-metadata': {
    title: 'What is offered is in the metadata',
    level: 'spec',
    expectation: 'accept',
    rows: ['1.resources-and-their-fields/credential-offer-object.2'],
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description: 'An id that the metadata does not know leaves a wallet with nothing to ask for.',
    sends: 'Has an offer made, reads its link and the metadata.',
    decides: 'Each element of credentials is the id of an entry of credentials_supported.',
    async run(context) {
      const metadata = parseIssuerMetadata(await readMetadata(context), context.credentialIssuer)
      if (!metadata.ok) return inconclusive('The metadata can not be read: see I01 to I04.')
      const { link } = await context.createOffer()
      const parsed = parseCredentialOfferUri(link)
      if (!parsed.ok || parsed.delivery === 'reference') {
        return inconclusive('The link holds no offer by value: see I05.')
      }
      const { credentials } = parsed.offer
      const known = metadata.metadata.credentialsSupported.map(({ id }) => id)
      const unknown = credentials.filter((id) => !known.includes(id))
      const verdictSource = 'credentials in the offer'
      return unknown.length === 0
        ? held(`Known: ${credentials.join(', ')}.`, { verdictSource })
        : broken(`The metadata does not know the offered ${unknown.join(', ')}.`, {
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
    description: 'It goes another way, or whoever photographs the QR code has it too.',
    sends: 'Has an offer made that asks for a PIN.',
    decides: "The PIN does not stand anywhere in the link's offer but, by chance, within the code.",
    needs: ['pin'],
    async run(context) {
      const { link, pin = '' } = await context.createOffer('pin')
      const text = decodeURIComponent(link).replace(/"pre-authorized_code":\s*"[^"]*"/, '')
      const isShown = text.split(/[^A-Za-z0-9]+/).includes(pin)
      const verdictSource = "the offer's link"
      return isShown
        ? broken('The PIN stands in the offer.', { verdictSource })
        : held('The link does not tell it.', { verdictSource })
    },
  },
  'I92-codes-unpredictable': {
    title: 'Codes can not be guessed',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 6749, 10.10'],
    description: 'A code is all that is needed for the credential of somebody else.',
    sends: `Has ${samples} offers made.`,
    decides: `The codes differ, and each has ${shortest} characters or more, which 128 bits need.`,
    async run(context) {
      const codes: string[] = []
      for (let sample = 0; sample < samples; sample++) {
        const parsed = parseCredentialOfferUri((await context.createOffer()).link)
        const code = parsed.ok && parsed.delivery === 'value' && parsed.offer.preAuthorizedCode
        if (!code) return inconclusive('The link holds no code: see I05.')
        codes.push(code)
      }
      const lengths = codes.map(({ length }) => length)
      const verdictSource = "the codes in the offers' links"
      if (new Set(codes).size < samples) {
        return broken('Two offers have one code.', { verdictSource })
      }
      return lengths.some((length) => length < shortest)
        ? broken('A code is too short.', { expected: shortest, actual: lengths, verdictSource })
        : held(`They differ, and have ${Math.min(...lengths)} characters.`, { verdictSource })
    },
  },
})

/** The address in a link by reference; ends the check as broken where there is none. */
function addressInLink(link: string): string {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(broken('The link holds no address of an offer.', { failures, verdictSource }))
  }
  if (parsed.delivery === 'reference') return parsed.credentialOfferUri
  const told = 'create-offer-by-reference made an offer by value'
  endCheck(inconclusive(`${told}: have it make one by reference.`, { verdictSource }))
}

/** The offer of a link by value; ends the check as broken where it is none. */
function offerInLink(link: string): CredentialOffer {
  const parsed = parseCredentialOfferUri(link)
  if (!parsed.ok) {
    const { failures } = parsed
    endCheck(broken('The link holds no offer as documented.', { failures, verdictSource }))
  }
  if (parsed.delivery === 'value') return parsed.offer
  const told = 'create-offer made an offer by reference'
  endCheck(inconclusive(`${told}: have it make one by value for this.`, { verdictSource }))
}
