import {
  callWalletEndpoint,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/malformed-credential-request',
  title: 'No credential request makes the issuer stumble',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Wallets in development send anything: another format, types that are not the offered ones, a proof that
is a text, no JSON at all, a hundred arrays in each other. Each is a **4xx with a code and a sentence**,
never a 500, and the access token still brings the credential in the end.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 9' },
    { document: 'OpenID4VCI 1.0', section: '8.3.1' },
  ],

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
        'a type that nobody issues',
        { ...good, types: ['VerifiableCredential', 'DriversLicense'] },
        'unsupported_credential_type',
      ],
      [
        'types without VerifiableCredential',
        { ...good, types: ['OrgPortalLearCredential'] },
        'invalid_request',
      ],
      ['types that are a text', { ...good, types: 'VerifiableCredential' }, 'invalid_request'],
      ['no proof', { ...good, proof: undefined }, 'invalid_proof'],
      ['a proof that is a text', { ...good, proof: good.proof.jwt }, 'invalid_proof'],
      [
        'a proof of another type',
        { ...good, proof: { proof_type: 'ldp_vp', jwt: good.proof.jwt } },
        'invalid_proof',
      ],
      [
        'a proof that is no JWT',
        { ...good, proof: { ...good.proof, jwt: 'a.b.c' } },
        'invalid_proof',
      ],
    ]
    for (const [what, json, expected] of bodies) {
      await step(`With ${what}`, async () => {
        const answer = await callWalletEndpoint(context, 'credential', { json, headers })
        const { error, error_description: description, c_nonce } = expectJson(answer, 400)
        expectEqual('the error', error, expected)
        expectMatch('what a wallet can show', description, /\w/)
        if (error === 'invalid_proof') nonce = expectMatch('a fresh c_nonce', c_nonce, /\S/)
      })
    }
    await step('With what is no object: a 4xx each', async () => {
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
    await step('As documented, with the last fresh nonce: the credential', async () => {
      const json = createRequestBody(wallet, redeemed, nonce)
      const answer = await callWalletEndpoint(context, 'credential', { json, headers })
      expectEqual('the format', expectJson(answer, 200).format, 'jwt_vc_json')
    })
  },
})
