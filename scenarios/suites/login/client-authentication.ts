import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { obtainCode } from '#scenarios/fixtures/log-in.ts'
import { requestTokens } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectIncludes,
  expectJson,
  expectMatch,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'login/client-authentication',
  title: 'Tokens are for a client that proves who it is',
  category: 'Login',
  algorithms: ['ES256K'],
  description: `
The token endpoint asks for the client's credentials, as HTTP Basic or in the body. A **wrong secret**
and an **unknown client** are 401 \`invalid_client\`, with a challenge where Basic was tried; a client
without any secret gets nothing either.

A \`redirect_uri\` that is not the one of the authorization request is \`invalid_grant\`, with the right
secret as well. In none of the answers is a token. What was right all along then works, with the
secret in the body.`,
  references: [
    { document: 'Document 1', section: 'Errors, row 8' },
    { document: 'Document 1', section: 'Authentication, row 4' },
    { document: 'RFC 6749', section: '2.3.1, 5.2' },
  ],

  async run(context) {
    const { step, environment, httpAs } = context
    const { clientId, clientSecret, redirectUri } = environment.oidcClient
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const form = await step('A login gives a code', () => obtainCode(context, wallet))
    const unauthenticated = (more: Record<string, string>) =>
      httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
        form: { ...form, ...more },
      })

    await step('A wrong secret is 401', async () => {
      const answer = await requestTokens(context, form, { clientId, clientSecret: 'wrong' })
      expectIncludes('the answer', expectJson(answer, 401), { error: 'invalid_client' })
      expectMatch('the challenge', answer.headers.get('www-authenticate'), /^Basic/i)
      const inBody = expectJson(await unauthenticated({ client_secret: 'wrong' }), 401)
      expectIncludes('the answer', inBody, { error: 'invalid_client' })
    })
    await step('So is an unknown client', async () => {
      const nobody = { clientId: `nobody-${context.uniqueName}`, clientSecret }
      const own = { ...form, client_id: nobody.clientId }
      const answer = expectJson(await requestTokens(context, own, nobody), 401)
      expectIncludes('the answer', answer, { error: 'invalid_client' })
    })
    await step('Without any secret there is nothing', async () => {
      const { status, json } = await unauthenticated({})
      expectTrue('the answer is 400 or 401', [400, 401].includes(status), status)
      expectTrue('there is no token', !JSON.stringify(json).includes('access_token'), json)
    })
    await step('Another redirect_uri is refused', async () => {
      const elsewhere = { ...(await obtainCode(context, wallet)), redirect_uri: `${redirectUri}/` }
      const answer = expectJson(await requestTokens(context, elsewhere), 400)
      expectIncludes('the answer', answer, { error: 'invalid_grant' })
    })
    await step('What was right all along works, with the secret in the body', async () => {
      const fresh = await obtainCode(context, wallet)
      const tokens = expectJson(
        await httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/token`, {
          form: { ...fresh, client_secret: clientSecret },
        }),
        200,
      )
      expectIncludes('the answer', tokens, { token_type: 'Bearer' })
    })
  },
})
