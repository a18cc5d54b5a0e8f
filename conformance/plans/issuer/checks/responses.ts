import { z } from 'zod'
import { createTokenRequest } from '#core/oid4vci/token.ts'
import { createRequestBody } from '#scenarios/fixtures/wallet-endpoints.ts'
import { broken, defineChecks, held } from '../../../kit/check.ts'
import { problemsIn, requireAnswer, requireJson } from '../../../kit/classify-answer.ts'
import type { IssuerContext } from '../issuer-context.ts'
import { askForCredential, askForToken, reachAnswer, readOffer, redeem } from '../redeeming.ts'

const zSeconds = z.int().positive()

const zToken = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/, 'is not a valid token'),
  // RFC 6749, 5.1: the value is case insensitive.
  token_type: z.string().regex(/^bearer$/i, 'is not Bearer'),
  expires_in: zSeconds,
  c_nonce: z.string().min(1),
  c_nonce_expires_in: zSeconds,
})

/** The token response of an issuer that does not require a proof of possession. */
const zTokenWithoutNonce = zToken.omit({ c_nonce: true, c_nonce_expires_in: true })

const unknown = { kit_unknown_member: 'meaningless' }

export const checks = defineChecks<IssuerContext>({
  'I09-no-store': {
    title: 'Intermediaries cannot store tokens and credentials',
    level: 'final',
    expectation: 'advice',
    clauses: ['RFC 6749, 5.1', 'OpenID4VCI 1.0, 6.2'],
    description:
      'A cache that stores a response returns the token or the credential to another client.',
    sends: 'A token request and a credential request as documented.',
    decides:
      'Both responses have Cache-Control with no-store. For the credential this is good practice: OpenID4VCI has it only in examples.',
    fix: 'Send Cache-Control: no-store with the responses of the token endpoint and the credential endpoint. Check that a proxy does not remove it.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const session = await redeem(context)
      const token = await reachAnswer('the token request', askForToken(context, resolved))
      const credential = await reachAnswer(
        'the credential request',
        askForCredential(context, session),
      )
      for (const answer of [token, credential]) {
        const actual = answer.headers.get('cache-control')
        if (/\bno-store\b/i.test(actual ?? '')) continue
        const { pathname } = new URL(answer.url)
        const verdictSource = `Cache-Control of ${pathname}`
        return broken(`The response of ${pathname} can be cached.`, {
          expected: 'no-store',
          actual,
          verdictSource,
          ...(answer === credential && { level: 'practice' }),
        })
      }
      return held('Both have no-store.', { verdictSource: 'Cache-Control of both responses' })
    },
  },
  'I10-token-response': {
    title: 'The documented token request returns an access token and a c_nonce',
    level: 'spec',
    expectation: 'accept',
    rows: [
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.2',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.5',
      '1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6',
    ],
    clauses: ['RFC 6749, 5.1'],
    description:
      'Lifetimes are numbers of seconds: a string breaks wallets that add it to the time. Without c_nonce a wallet cannot create a proof.',
    sends: 'POST /token, form-urlencoded, with grant_type and pre-authorized_code.',
    decides:
      'The response is 200 with access_token, token_type Bearer, an integer expires_in, c_nonce and an integer c_nonce_expires_in. A missing c_nonce is a WARN: it is optional if no proof is required.',
    fix: 'Return 200 and access_token, token_type Bearer, expires_in, c_nonce and c_nonce_expires_in. Send both lifetimes as integers, in seconds.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const json = requireJson(await askForToken(context, resolved), 'The token request')
      const verdictSource = 'the token response'
      const hasNonce = json.c_nonce !== undefined
      const result = (hasNonce ? zToken : zTokenWithoutNonce).safeParse(json)
      if (result.success) {
        return hasNonce
          ? held('The token response is complete.', { verdictSource })
          : broken('The token response has no c_nonce, so credentials are not bound to a key.', {
              expected: Object.keys(zToken.shape),
              actual: Object.keys(json),
              verdictSource,
              level: 'practice',
            })
      }
      const names = Object.keys(json)
      return broken(`The token response is not as documented: ${problemsIn(result.error)}.`, {
        expected: Object.keys(zToken.shape),
        actual: names,
        verdictSource,
      })
    },
  },
  'I89-unknown-members': {
    title: 'Unknown parameters are ignored',
    level: 'final',
    expectation: 'accept',
    control: 'offer',
    clauses: ['RFC 6749, 3.2', 'OpenID4VCI 1.0, 8.2'],
    description: 'Wallets of a later revision send more parameters and must still be served.',
    sends:
      'A token request and a credential request as documented, each with an additional parameter.',
    decides: 'Both succeed.',
    fix: 'Ignore unknown parameters of the token request and unknown members of the credential request. Do not validate them with a schema that forbids additional members.',
    async run(context) {
      const { resolved } = await readOffer(context)
      const { preAuthorizedCode } = resolved
      const form = { ...createTokenRequest({ preAuthorizedCode }), ...unknown }
      requireAnswer(await askForToken(context, resolved, { form }), 'The token request')
      const session = await redeem(context)
      const json = {
        ...createRequestBody(session.wallet, session),
        ...unknown,
        kit_unknown_list: ['a', 'b', 'b'],
      }
      const answer = await askForCredential(context, session, { json })
      requireAnswer(answer, 'The credential request', [200, 202])
      return held('Both succeeded.', { verdictSource: 'HTTP status of both endpoints' })
    },
  },
})
