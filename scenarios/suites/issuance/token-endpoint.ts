import { callWalletEndpoint } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { HttpRequest } from '#scenarios/harness/http-client.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

export const scenario = defineScenario({
  id: 'issuance/token-endpoint',
  title: 'What the token endpoint answers, and what it refuses',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Before the right request come the wrong ones, each with the error code that tells a wallet's developer
what is wrong: JSON instead of a form, another grant, parameters that are missing or stand twice, a
code that nobody issued. **None of them uses the code up**: the right request then gets an access
token, of type Bearer, with its lifetime and a \`c_nonce\`, and nobody on the way may keep a copy.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 2, 5, 6' },
    { document: 'Document 1', section: 'Limits, row 3' },
    { document: 'RFC 6749', section: '5.1, 5.2' },
    { document: 'Assumptions', section: 'A-25, A-36' },
  ],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const { preAuthorizedCode: code } = await step('The wallet reads an offer', async () => {
      const { offerUri } = await control.createOffer()
      return resolveCredentialOffer(wallet, offerUri)
    })
    const form = { grant_type: grantType, 'pre-authorized_code': code }
    const formType = { 'content-type': 'application/x-www-form-urlencoded' }
    const twice = `${new URLSearchParams(form)}&pre-authorized_code=other`
    const wrong: readonly (readonly [what: string, request: HttpRequest, error: string])[] = [
      ['the parameters as JSON', { json: form }, 'invalid_request'],
      ['no parameters', { body: '', headers: formType }, 'invalid_request'],
      ['no grant_type', { form: { 'pre-authorized_code': code } }, 'invalid_request'],
      ['no code', { form: { grant_type: grantType } }, 'invalid_request'],
      ['an empty code', { form: { ...form, 'pre-authorized_code': '' } }, 'invalid_request'],
      ['the code twice', { body: twice, headers: formType }, 'invalid_request'],
      [
        'another grant',
        { form: { ...form, grant_type: 'authorization_code' } },
        'unsupported_grant_type',
      ],
      [
        'a code that nobody issued',
        { form: { ...form, 'pre-authorized_code': `${code.slice(1)}A` } },
        'invalid_grant',
      ],
    ]
    for (const [what, request, error] of wrong) {
      await step(`With ${what}: ${error}`, async () => {
        const body = expectJson(await callWalletEndpoint(context, 'token', request), 400)
        expectEqual('the error', body.error, error)
        expectMatch('what a wallet can show', body.error_description, /\w/)
        expectEqual('the token', body.access_token, undefined)
      })
    }
    await step('As documented: a token', async () => {
      const answer = await callWalletEndpoint(context, 'token', { form })
      const body = expectJson(answer, 200)
      expectMatch('the access token', body.access_token, /^\S{22,}$/)
      expectEqual('token_type', body.token_type, 'Bearer')
      expectMatch('c_nonce', body.c_nonce, /^\S{22,}$/)
      for (const member of ['expires_in', 'c_nonce_expires_in']) {
        const value = body[member]
        expectTrue(`${member} is a number of seconds`, Number.isInteger(value), value)
        expectTrue(`${member} lies ahead`, Number(value) > 0, value)
      }
      expectMatch('cache-control', answer.headers.get('cache-control'), /no-store/)
    })
    await step('The same once more: the code is used', async () => {
      const body = expectJson(await callWalletEndpoint(context, 'token', { form }), 400)
      expectEqual('the error', body.error, 'invalid_grant')
    })
  },
})
