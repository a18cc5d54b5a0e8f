import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { askUserInfo } from '#scenarios/fixtures/relying-party.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

export const scenario = defineScenario({
  id: 'login/userinfo',
  title: 'The userinfo endpoint opens for an access token of the IDP and for nothing else',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
A relying party's access token is a JWT for the IDP itself, signed with a key of its published set.
With it the relying party gets the claims, about the subject of the id_token.

It then tries whatever else it has: the **id_token**, which says the same but was not made for that;
the refresh token; an access token with one character changed; a Bearer token of the token issuer;
the right token in the address, where it would end up in logs; and nothing at all.

Each is 401 with a Bearer challenge, and tells no claim.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 4' },
    { document: 'Document 1', section: 'Endpoints, Credential IDP' },
    { document: 'RFC 6750', section: '3' },
    { document: 'Assumptions', section: 'A-32' },
  ],

  async run(context) {
    const { step, environment, httpAs, control } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const {
      accessToken,
      idToken,
      refreshToken = '',
      idTokenClaims,
    } = await step('A relying party has tokens', () => logIn(context, wallet))
    await step('The access token is a JWT that the published keys verify', async () => {
      const { keys } = expectJson(
        await httpAs('relying-party').request(`${environment.idpBaseUrl}/accounts/jwks`),
        200,
      ) as { keys: (JsonWebKey & { kid: string })[] }
      const jws = parseJws(accessToken)
      const { header, payload } = jws.ok ? jws : { header: {}, payload: {} }
      expectIncludes('its header', { ...header }, { alg: 'RS256' })
      const { idpBaseUrl: iss, oidcClient } = environment
      const { clientId: client_id } = oidcClient
      expectIncludes('its claims', { ...payload }, { iss, aud: iss, client_id })
      const jwk = expectPresent(
        'its key',
        keys.find(({ kid }) => 'kid' in header && kid === header.kid),
      )
      const [signed = '', signature = ''] = accessToken.split(/\.(?=[^.]+$)/)
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      const bytes = Buffer.from(signature, 'base64url')
      const verifies = verify('sha256', Buffer.from(signed), key, bytes)
      expectTrue('the signature verifies', verifies)
    })
    await step('With the access token it gets the claims', async () => {
      expectEqual(
        'sub',
        expectJson(await askUserInfo(context, accessToken), 200).sub,
        idTokenClaims.sub,
      )
    })
    const expectRefused = (answer: HttpAnswer) => {
      expectStatus(answer, 401)
      expectMatch('the challenge', answer.headers.get('www-authenticate'), /^Bearer/i)
      expectTrue('it tells no claim', !answer.text.includes(String(idTokenClaims.sub)), answer.text)
    }
    await step('With any other token it gets nothing', async () => {
      const { organizationIdentifier } = environment.organizations[0] ?? {}
      const bearerToken = await control.createBearerToken({
        organizationIdentifier: organizationIdentifier ?? '',
      })
      const changed = accessToken.replace(/.(?=.{20}$)/, (old) => (old === 'A' ? 'B' : 'A'))
      for (const token of [idToken, refreshToken, changed, bearerToken, 'unknown']) {
        expectRefused(await askUserInfo(context, token))
      }
    })
    await step('Without a token, or with it in the address, neither', async () => {
      expectRefused(await askUserInfo(context, undefined))
      const address = `${environment.idpBaseUrl}/accounts/userinfo?access_token=${accessToken}`
      expectRefused(await httpAs('relying-party').request(address))
    })
  },
})
