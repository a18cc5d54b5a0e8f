import { readCredential } from '#scenarios/fixtures/held-credentials.ts'
import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { awaitRecord, listRecords, ownOfferLink } from '#scenarios/fixtures/portal.ts'
import {
  askForCredential,
  callWalletEndpoint,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const credentialEndpointAccess = defineScenario({
  id: 'issuance/credential-endpoint-access',
  title: 'Access token and c_nonce are valid only for their own issuance',
  algorithms: ['ES256K'],
  description: `
Each of two wallets holds an access token. A request without a token, with an invented one, or with the
token **in the URL** (which ends up in logs) is a 401 that names the required scheme. With the first
wallet's token and the second wallet's nonce the proof is rejected: a nonce belongs to the token of the
same response. Neither issuance is affected by these requests.`,
  references: cite(
    'Profile: 1.authentication.7',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.7, 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.8',
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.2',
    'RFC 6750: 2.1, 3',
  ),

  async run(context) {
    const { step, control, environment, httpAs } = context
    const [one, other] = [context.createWallet(), context.createWallet()]
    const [first, second] = await step('Each of two wallets redeems an offer', async () => {
      const redeem = async (wallet: typeof one) => {
        const { offerUri } = await control.createOffer()
        return redeemOffer(wallet, offerUri)
      }
      return [await redeem(one), await redeem(other)] as const
    })
    const body = createRequestBody(one, first)

    await step('Without its token, or with an unknown one: 401', async () => {
      const { accessToken } = first.token
      for (const token of [undefined, 'made-up', `${accessToken}x`, accessToken.slice(1)]) {
        const answer = await askForCredential(context, token, body)
        expectEqual('the credential', expectJson(answer, 401).credential, undefined)
        expectMatch('www-authenticate', answer.headers.get('www-authenticate'), /^Bearer\b/)
      }
    })
    await step('With another scheme, or with the token in the URL: 401', async () => {
      const authorization = `Basic ${Buffer.from(`:${first.token.accessToken}`).toString('base64')}`
      const request = { json: body, headers: { authorization } }
      expectJson(await callWalletEndpoint(context, 'credential', request), 401)
      const query = new URLSearchParams({ access_token: first.token.accessToken })
      const address = `${environment.credentialIssuerUrl}/credential?${query}`
      expectJson(await httpAs('wallet').request(address, { json: body }), 401)
    })
    await step('With the nonce of the other wallet the proof is rejected', async () => {
      const mixed = createRequestBody(one, first, second.token.cNonce)
      const answer = await askForCredential(context, first.token.accessToken, mixed)
      const refusal = expectJson(answer, 400)
      expectEqual('the error', refusal.error, 'invalid_nonce')
      expectMatch('a fresh c_nonce', refusal.c_nonce, /^\S{22,}$/)
    })
    await step('The other wallet still gets its credential', async () => {
      const own = createRequestBody(other, second)
      const answer = await askForCredential(context, second.token.accessToken, own)
      const { format, credential } = expectJson(answer, 200)
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
      expectEqual('the format', format, 'jwt_vc_json')
      expectPresent('the credential', credential)
    })
  },
})

const malformedCredentialRequest = defineScenario({
  id: 'issuance/malformed-credential-request',
  title: 'No credential request causes a server error',
  algorithms: ['EdDSA'],
  description: `
Wallets in development send all kinds of requests: a different format, types that are not offered, a
proof that is a string, invalid JSON, a hundred nested arrays. Each results in a **4xx with a code and a
description**, never a 500, and the access token still yields the credential in the end.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.9',
    'OpenID4VCI 1.0: 8.3.1',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const redeemed = await step('A wallet redeems an offer', async () => {
      const { offerUri } = await control.createOffer()
      return redeemOffer(wallet, offerUri)
    })
    const authorization = `Bearer ${redeemed.token.accessToken}`
    const headers = { authorization }
    const good = createRequestBody(wallet, redeemed)
    let nonce: string | undefined

    const bodies: readonly (readonly [what: string, body: object, error: string])[] = [
      ['another format', { ...good, format: 'vc+sd-jwt' }, 'unsupported_credential_format'],
      ['no format', { ...good, format: undefined }, 'invalid_request'],
      [
        'an unknown type',
        { ...good, types: ['VerifiableCredential', 'DriversLicense'] },
        'unsupported_credential_type',
      ],
      [
        'types without VerifiableCredential',
        { ...good, types: ['OrgPortalLearCredential'] },
        'invalid_request',
      ],
      ['types that are a string', { ...good, types: 'VerifiableCredential' }, 'invalid_request'],
      ['no proof', { ...good, proof: undefined }, 'invalid_proof'],
      ['a proof that is a string', { ...good, proof: good.proof.jwt }, 'invalid_proof'],
      [
        'a proof of another type',
        { ...good, proof: { proof_type: 'ldp_vp', jwt: good.proof.jwt } },
        'invalid_proof',
      ],
      [
        'a proof that is not a JWT',
        { ...good, proof: { ...good.proof, jwt: 'a.b.c' } },
        'invalid_proof',
      ],
    ]
    for (const [what, json, expected] of bodies) {
      await step(`With ${what}`, async () => {
        const answer = await callWalletEndpoint(context, 'credential', { json, headers })
        const { error, error_description: description, c_nonce } = expectJson(answer, 400)
        expectEqual('the error', error, expected)
        expectMatch('a description for the holder', description, /\w/)
        if (error === 'invalid_proof') nonce = expectMatch('a fresh c_nonce', c_nonce, /\S/)
      })
    }
    await step('With a body that is not an object: a 4xx each', async () => {
      const type = 'application/json'
      for (const [contentType, body] of [
        [type, '{"format":'],
        [type, '[]'],
        [type, 'null'],
        [type, `${'['.repeat(200)}${']'.repeat(200)}`],
        [type, `{"format":"${'x'.repeat(100_000)}"}`],
        ['text/plain', JSON.stringify(good)],
        ['application/x-www-form-urlencoded', 'format=jwt_vc_json'],
      ] as const) {
        const request = { body, headers: { ...headers, 'content-type': contentType } }
        const { status, text } = await callWalletEndpoint(context, 'credential', request)
        expectTrue('it is a 4xx', status >= 400 && status < 500, `${status} ${text}`)
      }
    })
    await step('A correct request with the last fresh nonce: the credential', async () => {
      const json = createRequestBody(wallet, redeemed, nonce)
      const answer = await callWalletEndpoint(context, 'credential', { json, headers })
      expectEqual('the format', expectJson(answer, 200).format, 'jwt_vc_json')
    })
  },
})

const nonceRenewed = defineScenario({
  id: 'issuance/nonce-renewed',
  title: 'Each c_nonce works once, and an error contains a fresh one',
  algorithms: ['EdDSA'],
  description: `
The wallet's first proof has a nonce that is not from the issuer. The error response contains a **fresh
c_nonce**, which replaces the one from the token response. With the fresh one the wallet gets its
credential. A proof with the same nonce is rejected afterwards, so an attacker who recorded the request
cannot replay it.`,
  references: cite(
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.2',
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.6',
    'Assumptions: A-36',
  ),

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const redeemed = await step('A wallet redeems an offer', async () => {
      const { offerUri } = await control.createOffer()
      return redeemOffer(wallet, offerUri)
    })
    const { accessToken, cNonce } = redeemed.token
    const ask = (nonce: string | undefined) =>
      askForCredential(context, accessToken, createRequestBody(wallet, redeemed, nonce))
    const refuse = async (nonce: string | undefined) => {
      const { error, c_nonce, c_nonce_expires_in, credential } = expectJson(await ask(nonce), 400)
      expectEqual('the error', error, 'invalid_nonce')
      expectEqual('the credential', credential, undefined)
      expectTrue('c_nonce_expires_in is in seconds', Number.isInteger(c_nonce_expires_in))
      return expectMatch('a fresh c_nonce', c_nonce, /^\S{22,}$/)
    }

    const second = await step('It sends an invented nonce', () => refuse('my-own-nonce'))
    const third = await step('The first c_nonce is no longer valid', () => refuse(cNonce))
    await step('They are all different', () => {
      expectEqual('different nonces', new Set([cNonce, second, third]).size, 3)
    })
    await step('With the fresh one it gets its credential', async () => {
      expectMatch('the credential', expectJson(await ask(third), 200).credential, /^[\w-]+\./)
    })
    await step('The same request is rejected the second time', () => refuse(third))
  },
})

const answerLost = defineScenario({
  id: 'issuance/answer-lost',
  title: 'A wallet can repeat a credential request whose response was lost',
  algorithms: ['ES256K'],
  description: `
The wallet requested its credential, and the train entered a **tunnel**: the response never arrived. The
wallet asks again. Its nonce is used, so the issuer sends a fresh one and then returns the *same*
credential: there is one record and one index in the status list. An attacker with the access token but
another key gets nothing.`,
  references: cite(
    'Profile: 1.authentication.7',
    'Profile: 1.resources-and-their-fields/proof-of-possession-jwt.2',
    'Assumptions: A-36',
  ),

  async run(context) {
    const { step } = context
    const [wallet, thief] = [context.createWallet(), context.createWallet()]
    const organization = await step('A representative of an organization', foundOrganization)
    const redeemed = await step(
      'The wallet scans the QR code and gets its access token',
      async () => redeemOffer(wallet, await ownOfferLink(context, organization)),
    )
    const { accessToken } = redeemed.token
    const ask = (by: typeof wallet, nonce?: string) =>
      askForCredential(context, accessToken, createRequestBody(by, redeemed, nonce))
    const freshNonce = async (nonce?: string) => {
      const { error, c_nonce } = expectJson(await ask(wallet, nonce), 400)
      expectEqual('the error', error, 'invalid_nonce')
      return expectMatch('a fresh c_nonce', c_nonce, /\S/)
    }

    const lost = await step('It requests the credential; the response is lost', async () =>
      String(expectJson(await ask(wallet), 200).credential),
    )
    await step('It asks again and gets the same credential', async () => {
      const again = expectJson(await ask(wallet, await freshNonce()), 200)
      expectEqual('the credential', again.credential, lost)
    })
    await step('Another key does not get the credential with the same access token', async () => {
      const answer = expectJson(await ask(thief, await freshNonce('used')), 400)
      expectEqual('the error', answer.error, 'credential_request_denied')
      expectEqual('the credential', answer.credential, undefined)
    })
    await step('There is one record, and it is issued', async () => {
      const { credentialId } = readCredential(lost)
      await awaitRecord(context, { ...organization, credentialId, status: 'issued' })
      expectEqual('the records', (await listRecords(context, organization)).length, 1)
    })
  },
})

export const scenarios = [
  credentialEndpointAccess,
  malformedCredentialRequest,
  nonceRenewed,
  answerLost,
]
