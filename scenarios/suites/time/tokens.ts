import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, ownOfferLink, revokeCredential } from '#scenarios/fixtures/portal.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import {
  askForCredential,
  createRequestBody,
  redeemOffer,
} from '#scenarios/fixtures/wallet-endpoints.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectStatus,
} from '#scenarios/harness/expectations.ts'

const accessTokenExpires = defineScenario({
  id: 'time/access-token-expires',
  title: "A wallet's access token and its nonce are valid for exactly their lifetime",
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
Each of two wallets redeems an offer. The token response contains the lifetimes of its access token and its
\`c_nonce\`: the profile's sample value is a day.

A minute before the end the first wallet requests its credential and gets it. A minute after it the
second one receives 401 \`invalid_token\`, although its proof is valid.`,
  references: cite(
    'Profile: 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet',
    'Profile: 1.limits.3',
    'RFC 6750: 3.1',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const inTime = context.createWallet()
    const tooLate = context.createWallet()
    const [first, second] = await step('Each of two wallets redeems an offer', async () => [
      await redeemOffer(inTime, (await control.createOffer()).offerUri),
      await redeemOffer(tooLate, (await control.createOffer()).offerUri),
    ])
    const lifetime = expectPresent('expires_in', first?.token.expiresIn)
    const nonceLifetime = expectPresent('c_nonce_expires_in', first?.token.cNonceExpiresIn)
    expectEqual('both lifetimes', [lifetime, nonceLifetime], [86_400, 86_400])
    try {
      await step('A minute before the end the first one gets its credential', async () => {
        await control.advanceClock(lifetime - 60)
        const redeemed = expectPresent('its token', first)
        const body = createRequestBody(inTime, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectMatch('the credential', expectJson(answer, 200).credential, /^ey/)
      })
      await step('A minute after it the second one does not', async () => {
        await control.advanceClock(120)
        const redeemed = expectPresent('its token', second)
        const body = createRequestBody(tooLate, redeemed)
        const answer = await askForCredential(context, redeemed.token.accessToken, body)
        expectEqual('the error', expectJson(answer, 401).error, 'invalid_token')
        expectMatch(
          'WWW-Authenticate',
          answer.headers.get('www-authenticate'),
          /^Bearer\b.*invalid_token/,
        )
      })
    } finally {
      await control.resetClock()
    }
  },
})

const bearerTokenExpires = defineScenario({
  id: 'time/bearer-token-expires',
  title: 'A portal whose token expired between two requests must get a new token',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A portal requests a credential with a Bearer token that is valid for two minutes. Three minutes pass.
The wallet still collects the credential, as its offer has a separate lifetime. The portal is rejected:
every endpoint returns 401 with the documented body.

With a new token it revokes the credential.`,
  references: cite('Profile: 1.authentication.1', 'Profile: 1.errors.1'),
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const power = powersToRequest(organization)
    const wallet = context.createWallet()
    const bearerToken = await step('A portal gets a token for two minutes', () =>
      control.createBearerToken({ organizationIdentifier, expiresIn: 120 }),
    )
    const link = await step('It asks for a credential', () =>
      ownOfferLink(context, { bearerToken, power }),
    )
    try {
      const { credentialId } = await step(
        'Three minutes later the wallet collects it',
        async () => {
          await control.advanceClock(180)
          return acceptOfferLink(context, wallet, link)
        },
      )
      await step('Every endpoint rejects the portal', async () => {
        for (const [endpoint, json] of [
          ['representative', { power }],
          ['employee', { email: `ana.${context.uniqueName}@example.org`, power }],
          ['identifiers', { subject_id: 'x' }],
          ['credential', { organization_identifiers: [organizationIdentifier] }],
          ['credential/revoke', { credential_id: credentialId }],
        ] as const) {
          const answer = expectJson(await askIssuer(context, endpoint, bearerToken, json), 401)
          const documented = { error: 'Unauthorized', detail: 'invalid token' }
          expectIncludes(`the response of ${endpoint}`, answer, documented)
        }
      })
      await step('With a new token it revokes the credential', () =>
        revokeCredential(context, credentialId),
      )
    } finally {
      await control.resetClock()
    }
  },
})

const idpTokensExpire = defineScenario({
  id: 'time/idp-tokens-expire',
  title: 'An access token of the IDP expires, and the refresh token yields a new one',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
A login yields an access token for \`expires_in\` seconds, 3600 in the profile's sample. Before its end the
userinfo endpoint returns the holder's claims. After it the token is invalid: 401.

The refresh token of the same response yields another access token, which returns the same claims.`,
  references: cite(
    'Profile: 1.endpoints/credential-idp',
    'Profile: 1.limits.2',
    'Assumptions: A-32, A-33',
  ),
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    const credential = await step('A wallet holds a credential', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet),
    )
    const tokens = await step('It logs its holder in', () => logIn(context, wallet))
    const lifetime = expectPresent('expires_in', tokens.expiresIn)
    const { sub, email } = expectedClaims(credential)
    try {
      await step('A minute before its end the access token returns the claims', async () => {
        await control.advanceClock(lifetime - 60)
        const claims = expectJson(await askUserInfo(context, tokens.accessToken), 200)
        expectIncludes('the claims', claims, { sub, email })
      })
      await step('A minute after it the token is invalid', async () => {
        await control.advanceClock(120)
        expectStatus(await askUserInfo(context, tokens.accessToken), 401)
      })
      await step('The refresh token yields another one', async () => {
        const answer = await requestTokens(context, {
          grant_type: 'refresh_token',
          refresh_token: expectPresent('the refresh token', tokens.refreshToken),
        })
        const renewed = expectJson(answer, 200)
        const claims = expectJson(await askUserInfo(context, String(renewed.access_token)), 200)
        expectIncludes('the claims', claims, { sub, email })
      })
    } finally {
      await control.resetClock()
    }
  },
})

export const scenarios = [accessTokenExpires, bearerTokenExpires, idpTokensExpire]
