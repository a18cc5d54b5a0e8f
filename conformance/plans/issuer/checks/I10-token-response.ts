import { z } from 'zod'
import { requireJson } from '../../../kit/classify-answer.ts'
import { defineCheck } from '../../../kit/define-check.ts'
import { broken, held } from '../../../kit/finding.ts'
import { askForToken } from '../flow/ask-for-token.ts'
import { readOffer } from '../flow/read-offer.ts'
import type { IssuerContext } from '../issuer-context.ts'

const zSeconds = z.int().positive()

const zToken = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/, 'is no token text'),
  // RFC 6749, 5.1: the value is case insensitive.
  token_type: z.string().regex(/^bearer$/i, 'is not Bearer'),
  expires_in: zSeconds,
  c_nonce: z.string().min(1),
  c_nonce_expires_in: zSeconds,
})

/** What an issuer answers that demands no proof of possession. */
const zTokenWithoutNonce = zToken.omit({ c_nonce: true, c_nonce_expires_in: true })

export const check = defineCheck<IssuerContext>({
  id: 'I10',
  title: 'The token request as documented brings an access token and a c_nonce',
  level: 'spec',
  expectation: 'accept',
  rows: [
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
    '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6',
  ],
  clauses: ['RFC 6749, 5.1'],
  description:
    'Lifetimes are numbers of seconds: a text breaks wallets that add it to the time. Without c_nonce no proof can be made.',
  sends: 'POST /token, form-urlencoded, with grant_type and pre-authorized_code.',
  decides:
    'The answer is 200 with access_token, token_type Bearer, expires_in as integer, c_nonce and c_nonce_expires_in as integer. That there is no c_nonce is a WARN: it is optional where no proof is demanded.',
  async run(context) {
    const { resolved } = await readOffer(context)
    const json = requireJson(await askForToken(context, resolved), 'The token request')
    const verdictSource = 'the token response'
    const hasNonce = json.c_nonce !== undefined
    const result = (hasNonce ? zToken : zTokenWithoutNonce).safeParse(json)
    if (result.success) {
      return hasNonce
        ? held('The token response is whole.', { verdictSource })
        : broken('The token response has no c_nonce: no credential is bound to a key.', {
            expected: Object.keys(zToken.shape),
            actual: Object.keys(json),
            verdictSource,
            level: 'practice',
          })
    }
    const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    const names = Object.keys(json)
    return broken(`The token response is not as documented: ${problems.join('; ')}.`, {
      expected: Object.keys(zToken.shape),
      actual: names,
      verdictSource,
    })
  },
})
