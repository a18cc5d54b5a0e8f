import { decodePercent } from '#core/text/decode-percent.ts'
import { broken, defineChecks, endCheck, held, inconclusive } from '../../../kit/check.ts'
import { asPremise } from '../../../kit/classify-answer.ts'
import { allHeld } from '../../../kit/find-each.ts'
import { findGuessable } from '../../../kit/guessable-values.ts'
import type { IssuerContext } from '../context.ts'
import { defer } from '../credentials.ts'
import { isUneven, mostRepetitions } from '../randomness.ts'
import { readOffer, redeem, sendPin } from '../redeeming.ts'
import { findAcceptance } from '../refusals.ts'

const sessions = 8
const pins = 24
const announced = 8
const verdictSource = 'the responses of the token and credential endpoints'

export const checks = defineChecks<IssuerContext>({
  'I111-pin-as-announced': {
    title: 'The PIN has the length and the characters that its offer specifies, and works',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.resources-and-their-fields/credential-offer-object.4',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    ],
    clauses: ['OpenID4VCI 1.0, 4.1.1'],
    description:
      'A wallet shows as many fields as the offer specifies, and perhaps only digits: a holder cannot enter another PIN.',
    sends: `Creates ${announced} offers with a PIN, reads their links, and redeems each code with its PIN.`,
    decides:
      'Each PIN has exactly length characters, and consists of digits if input_mode is numeric; if it is missing, other characters are a WARN. A missing length is not an error. The token endpoint accepts each PIN.',
    fix: 'Set length of tx_code to the number of characters of the PIN, and input_mode to text if it contains more than digits. Keep the PIN as a string, so that leading zeros remain.',
    needs: ['pin'],
    async run(context) {
      const verdictSource = 'tx_code in the offer, and the PIN'
      for (let sample = 0; sample < announced; sample++) {
        const offer = await readOffer(context, { kind: 'pin' })
        const { pin = '' } = offer.made
        const { txCode } = offer.resolved.offer
        if (!txCode) return inconclusive('The offer has no tx_code: see I08.')
        const { length = pin.length, inputMode = 'numeric' } = txCode
        if (pin.length !== length) {
          const details = { expected: length, actual: pin.length, verdictSource }
          return broken('The PIN does not have the length that its offer specifies.', details)
        }
        if (inputMode === 'numeric' && !/^\d+$/.test(pin)) {
          return broken('The offer specifies digits, but the PIN has other characters.', {
            expected: inputMode,
            verdictSource,
            // Only OpenID4VCI has a default.
            ...(!decodePercent(offer.made.link)?.includes('input_mode') && { level: 'final' }),
          })
        }
        const redeemed = findAcceptance(await sendPin(context, offer, pin), 'The correct PIN')
        if (redeemed.kind !== 'held') return redeemed
      }
      return held(`${announced} PINs are as their offers specify, and work.`, { verdictSource })
    },
  },
  'I112-pins-unpredictable': {
    title: 'PINs cannot be guessed',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 6749, 10.10'],
    description:
      'If some PINs are more frequent, an attacker needs fewer attempts than the issuer allows.',
    sends: `Creates ${pins} offers with a PIN.`,
    decides:
      'Each position varies, no more PINs are equal than by chance, and the digits are evenly distributed. The bounds are so wide that chance does not exceed them.',
    fix: 'Draw each digit of a PIN from a cryptographic random source. Do not derive it from the time, a counter or the subject, and do not exclude leading zeros.',
    needs: ['pin'],
    async run(context) {
      const values: string[] = []
      for (let sample = 0; sample < pins; sample++) {
        const ordering = context.createOffer('pin')
        values.push((await asPremise('ordering an offer with a PIN', ordering)).pin ?? '')
      }
      const verdictSource = 'the PINs of the offers'
      const shortest = Math.min(...values.map(({ length }) => length))
      const fixed = Array.from({ length: shortest }, (_, index) => index).find(
        (index) => new Set(values.map((pin) => pin.charAt(index))).size === 1,
      )
      if (fixed !== undefined) {
        return broken(`Character ${fixed + 1} of all ${pins} PINs is the same.`, { verdictSource })
      }
      const repeated = pins - new Set(values).size
      const most = mostRepetitions(pins, 10 ** shortest)
      if (repeated > most) {
        const details = { expected: `at most ${most}`, actual: repeated, verdictSource }
        return broken(`${repeated} of ${pins} PINs repeat another one.`, details)
      }
      const text = values.join('')
      return /^\d+$/.test(text) && isUneven(text)
        ? broken('Some digits occur much too often in the PINs.', { verdictSource })
        : held(`${pins} PINs look random.`, { verdictSource })
    },
  },
  'I113-tokens-unpredictable': {
    title:
      'Access tokens, nonces and acceptance_tokens cannot be guessed, and none reveals another',
    level: 'practice',
    expectation: 'advice',
    clauses: ['RFC 6749, 10.10'],
    description:
      'With the access token of another wallet an attacker gets its credential. A code is in a QR code, so the token must not follow from it.',
    sends: `Redeems ${sessions} offers; if the target supports it, also requests as many deferred credentials.`,
    decides:
      'The access tokens differ in about 100 bits or more, and so do the nonces and the acceptance_tokens. None of code, access token and c_nonce contains another, and none of access token and acceptance_token.',
    fix: 'Create each access token, c_nonce and acceptance_token separately, from a cryptographic random source with at least 128 bits. Do not derive them from each other, the code, the time or a counter.',
    async run(context) {
      const tokens: string[] = []
      const nonces: string[] = []
      for (let sample = 0; sample < sessions; sample++) {
        const { resolved, token } = await redeem(context)
        const { accessToken, cNonce } = token
        tokens.push(accessToken)
        if (cNonce !== undefined) nonces.push(cNonce)
        const secrets = Object.entries({
          'the code': resolved.preAuthorizedCode,
          'the access token': accessToken,
          ...(cNonce !== undefined && { 'the c_nonce': cNonce }),
        })
        requireSeparate(secrets)
      }
      const acceptanceTokens: string[] = []
      for (let sample = 0; sample < sessions && context.can('deferred'); sample++) {
        const { accessToken, acceptanceToken } = await defer(context)
        requireSeparate([
          ['the access token', accessToken],
          ['the acceptance_token', acceptanceToken],
        ])
        acceptanceTokens.push(acceptanceToken)
      }
      const named = {
        'the access token': tokens,
        c_nonce: nonces,
        acceptance_token: acceptanceTokens,
      }
      const found = Object.entries(named)
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => findGuessable(name, values, { verdictSource }))
      return found.find(({ kind }) => kind === 'broken') ?? allHeld(found)
    },
  },
})

/** Ends the check if one of these secrets contains another. */
function requireSeparate(secrets: readonly (readonly [name: string, value: string])[]): void {
  for (const [inner, value] of secrets) {
    const outer = secrets.find(([name, text]) => name !== inner && text.includes(value))
    if (outer) endCheck(broken(`${outer[0]} contains ${inner}.`, { verdictSource }))
  }
}
