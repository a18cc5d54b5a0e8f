import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { createOwnIssuer, revokeAccreditation } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin, expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { brokenRulesOf, readSessionStatus } from '#scenarios/fixtures/login-page.ts'
import { firstOrganization } from '#scenarios/fixtures/organizations.ts'
import { revokeCredential } from '#scenarios/fixtures/portal.ts'
import { presentCredential } from '#scenarios/fixtures/presentations.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { askUserInfo, requestTokens } from '#scenarios/fixtures/relying-party.ts'
import {
  cite,
  defineScenario,
  type Scenario,
  type ScenarioAlgorithm,
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import type { Wallet } from '#wallet-emulator/create-wallet.ts'

interface Revocation {
  readonly name: string
  readonly title: string
  readonly what: string
  readonly rule: string
  readonly why: RegExp
  readonly section: string
  readonly algorithm: ScenarioAlgorithm
  /** Issues the wallet its credential and returns the function that revokes it. */
  readonly prepare: (context: ScenarioContext, wallet: Wallet) => Promise<() => Promise<void>>
}

const revocations: readonly Revocation[] = [
  {
    name: 'credential',
    title: 'A credential that is revoked while its holder reads the consent screen cannot be used',
    what: 'the organization **revokes the credential**',
    rule: 'credential.status',
    why: /was revoked/,
    section: 'A-23',
    algorithm: 'ES256K',
    async prepare(context, wallet) {
      const { credentialId } = await collectCredential(context, wallet)
      return () => revokeCredential(context, credentialId)
    },
  },
  {
    name: 'accreditation',
    title: 'A credential whose issuer loses its accreditation during a login cannot be used',
    what: 'the TAO **revokes the accreditation** of the issuer, which the scenario created',
    rule: 'trust.not-revoked',
    why: /not accredited/,
    section: 'A-18',
    algorithm: 'EdDSA',
    async prepare(context, wallet) {
      const { tao } = context.environment.trustChain
      const issuer = await createOwnIssuer(context)
      await giveOwnCredential(context, issuer, wallet)
      return () => revokeAccreditation(context, issuer, tao)
    },
  },
]

function scenarioFor({
  name,
  title,
  what,
  rule,
  why,
  section,
  algorithm,
  prepare,
}: Revocation): Scenario {
  return defineScenario({
    id: `revocation/during-login-${name}`,
    title,
    algorithms: [algorithm],
    description: `
A wallet has scanned the code and verified the request. While its holder reads the consent screen,
${what}. Then the holder approves.

The status **at the time of the verification** counts, not the one when the code was shown: the session
ends as \`FAILED\` because of \`${rule}\`, and the browser gets no code.`,
    references: cite('Profile: 1.states-and-transitions.7', `Assumptions: ${section}`),

    async run(context) {
      const { step } = context
      const wallet = context.createWallet()
      const revoke = await step('A wallet holds a credential', () => prepare(context, wallet))
      const { login } = await step('A relying party begins a login', beginLogin)
      await step('It is revoked between scan and approval', async () => {
        await presentCredential(context, wallet, login.link, async () => {
          await revoke()
          expectEqual('the session', await readSessionStatus(context, login.sessionCode), 'PENDING')
        })
      })
      await step('The login fails, and the page gives the reason', async () => {
        await login.awaitEnd('FAILED')
        const page = await login.reload()
        expectMatch('the page', page.text, why)
        const broken = brokenRulesOf(page)
        expectTrue(`only ${rule} is broken`, broken.join() === rule, broken)
      })
    },
  })
}

const tokensLiveOn = defineScenario({
  id: 'revocation/tokens-live-on',
  title: 'A revocation ends the refresh token, and the access token is valid until it expires',
  algorithms: ['EdDSA'],
  description: `
A user has logged in, and then the credential is revoked. According to the profile a revocation affects
**the record and the next login**; for tokens it only defines the lifetime (\`expires_in\`, 3600 in the
sample). So the access token still works at the userinfo endpoint, with the claims of its login. The
refresh token **no longer works**: the IDP checks the credential's status each time. A new login
**fails** too.`,
  references: cite(
    'Profile: 1.limits.2',
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-32, A-33, A-55',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const { organizationIdentifier } = firstOrganization(context)
    const { credentialId } = await step('A wallet holds a credential', () =>
      collectCredential(context, wallet),
    )
    const tokens = await step('Its holder logs in', async () => {
      const received = await logIn(context, wallet)
      expectEqual('expires_in', received.expiresIn, 3600)
      return received
    })
    await step('The credential is revoked', () => revokeCredential(context, credentialId))
    await step('The access token still works', async () => {
      const answer = await askUserInfo(context, tokens.accessToken)
      const { sub } = tokens.idTokenClaims
      expectIncludes('userinfo', expectJson(answer, 200), {
        sub,
        organization_identifier: organizationIdentifier,
      })
    })
    await step('The refresh token is rejected', async () => {
      const answer = await requestTokens(context, {
        grant_type: 'refresh_token',
        refresh_token: expectPresent('the refresh token', tokens.refreshToken),
      })
      expectEqual('the error', expectJson(answer, 400).error, 'invalid_grant')
    })
    await step('A new login fails', () => expectLoginRefused(context, wallet, 'credential.status'))
  },
})

const hour = 3600

const issuerKey = defineScenario({
  id: 'revocation/issuer-key',
  title: 'A stolen key is revoked as of the theft, and its earlier signatures stay valid',
  algorithms: ['EdDSA'],
  exclusive: true,
  description: `
An issuer signs a credential. Two hours later its key signs another one. Then the issuer learns that the key
was **stolen an hour ago** and revokes it with that time as \`notAfter\`. Both credentials verified before
the revocation. After it

- the one from before the theft still **logs in**: signatures made before \`notAfter\` stay valid,
- the one that the attacker signed **fails** because of \`credential.issuer-key\`.

The issuer's accreditation does not change: no other revocation is necessary.`,
  references: cite('Profile: 2.states-and-transitions.4', 'Assumptions: A-07, A-08, A-28'),
  needs: ['clock'],

  async run(context) {
    const { step, now, control } = context
    const [honest, forged] = [context.createWallet(), context.createWallet()]
    const issuer = await step('A new issuer is registered and accredited', createOwnIssuer)
    await step('It signs a credential', () => giveOwnCredential(context, issuer, honest))
    await step('Two hours later its key signs another one', async () => {
      await control.advanceClock(2 * hour)
      await giveOwnCredential(context, issuer, forged)
    })
    await step('Both log their holders in', async () => {
      await logIn(context, honest)
      await logIn(context, forged)
    })
    await step('The issuer revokes the key as of the theft, an hour ago', () => {
      const { did, vMethodId } = issuer
      const body = { did, vMethodId, notAfter: now() - hour }
      return openRegistries(context).writeDid('revokeVerificationMethod', body, issuer)
    })
    await step('The credential from before the theft still logs its holder in', () =>
      logIn(context, honest),
    )
    await step('The credential from after the theft fails', () =>
      expectLoginRefused(context, forged, 'credential.issuer-key', 'credential.signature'),
    )
  },
})

export const scenarios = [...revocations.map(scenarioFor), tokensLiveOn, issuerKey]
