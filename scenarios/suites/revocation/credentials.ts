import {
  acceptOfferLink,
  collectCredential,
  obtainCredential,
} from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import {
  beginLogin,
  completeLogin,
  expectLoginFailure,
  expectLoginRefused,
  logIn,
} from '#scenarios/fixtures/log-in.ts'
import {
  awaitLoginState,
  awaitRedirect,
  brokenRulesOf,
  type OpenedLogin,
  openLogin,
  scanPage,
} from '#scenarios/fixtures/login-page.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import {
  awaitRecord,
  receiveOfferMail,
  requestEmployeeOffer,
  revokeCredential,
} from '#scenarios/fixtures/portal.ts'
import { presentCredential, presentRegardless } from '#scenarios/fixtures/presentations.ts'
import { createRelyingParty } from '#scenarios/fixtures/relying-party.ts'
import { cite, defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectJson,
  expectMatch,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { present } from '#wallet-emulator/actions/present.ts'

const loginAfterRevocation = defineScenario({
  id: 'revocation/login-after-revocation',
  title: 'A revoked credential cannot be used to log in',
  algorithms: ['EdDSA'],
  description: `
A credential logs its holder in. Then its organization revokes it:

- the issuer confirms, and lists the record as \`revoked\`,
- a second revocation is rejected with 400, one of an unknown credential with 404.

The wallet presents the credential in a new login. The post is answered with 200, as for every
presentation, but the session is \`FAILED\`, the page gives the reason, and the browser does not return
with a code.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.4, 1.states-and-transitions.7',
    'Profile: 1.errors.5, 1.errors.6',
    'Assumptions: A-21, A-22, A-23',
  ),

  async run(context) {
    const { step, environment, httpAs } = context
    const { organizationIdentifier } = firstOrganization(context)
    const wallet = context.createWallet()

    const { credential, bearerToken } = await step('A wallet holds a credential', () =>
      obtainCredential(context, wallet),
    )
    const { credentialId } = credential
    const revoke = (id: string) =>
      httpAs('portal').request(`${environment.issuerBaseUrl}/issuance/credential/revoke`, {
        json: { credential_id: id },
        headers: { authorization: `Bearer ${bearerToken}` },
      })

    await step('It logs its holder in', () => logIn(context, wallet))
    await step('The organization revokes it', async () => {
      expectEqual(
        'the confirmed status',
        expectJson(await revoke(credentialId), 200).status,
        'revoked',
      )
    })
    await step('The issuer lists it as revoked', () => {
      const record = {
        bearerToken,
        organizationIdentifier,
        credentialId,
        status: 'revoked',
      } as const
      return awaitRecord(context, record)
    })
    await step('A second revocation is rejected, and so is an unknown credential', async () => {
      expectStatus(await revoke(credentialId), 400)
      expectStatus(await revoke(createUuidUrn(context)), 404)
    })
    await step('A new login with it fails, and the page gives the reason', () =>
      expectLoginRefused(context, wallet, 'credential.status'),
    )
  },
})

const issuedAgain = defineScenario({
  id: 'revocation/issued-again',
  title: 'A revocation is permanent, and a new credential is independent',
  algorithms: ['ES256K'],
  description: `
A credential is revoked, and its holder **obtains a new one** in the same wallet. Both match the request;
the holder chooses the new one, which logs in. The old one stays revoked: a new credential does not
restore it.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-22, A-23',
  ),

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    const old = await step('A wallet holds a credential, which is then revoked', async () => {
      const credential = await collectCredential(context, wallet)
      await revokeCredential(context, credential.credentialId)
      return credential
    })
    await step('It does not log its holder in', async () => {
      expectMatch('the page', (await expectLoginFailure(context, wallet)).text, /was revoked/)
    })
    const renewed = await step('The holder obtains a new one', async () => {
      const credential = await collectCredential(context, wallet)
      expectEqual('whether it is the same', credential.credentialId === old.credentialId, false)
      return credential
    })
    await step('The new one logs its holder in', async () => {
      const { relyingParty, login } = await beginLogin(context)
      await present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        select: { id: renewed.credentialId },
      })
      const { idTokenClaims } = await completeLogin({ login, relyingParty })
      expectIncludes('the id_token', idTokenClaims, expectedClaims(renewed))
    })
    await step('The old one is still revoked', async () => {
      // The wallet's first credential.
      const page = await expectLoginFailure(context, wallet, presentRegardless)
      expectMatch('the page', page.text, /was revoked/)
    })
  },
})

const oneOfTwo = defineScenario({
  id: 'revocation/one-of-two',
  title: 'The revocation of one credential does not affect another credential of the same person',
  algorithms: ['EdDSA'],
  description: `
A representative has a credential on each of two phones. The first phone is lost, and its credential
**revoked**: a login with it fails, and the page says that it was revoked.

The second phone still logs in as the same person: a revocation applies to a credential, not to a
person.`,
  references: cite(
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.7',
    'Assumptions: A-23, A-42',
  ),

  async run(context) {
    const { step } = context
    const [lost, other] = [context.createWallet(), context.createWallet()]
    const [first, second] = await step('A person holds a credential on each of two phones', () =>
      Promise.all([collectCredential(context, lost), collectCredential(context, other)]),
    )
    await step('The first one is lost: its credential is revoked', () =>
      revokeCredential(context, first.credentialId),
    )
    await step('A login with it fails, and the page gives the reason', async () => {
      const page = await expectLoginFailure(context, lost)
      expectMatch('the page', page.text, /was revoked/)
      const broken = brokenRulesOf(page)
      expectTrue('only its status is wrong', broken.join() === 'credential.status', broken)
    })
    await step('The other phone logs the same person in', async () => {
      const { idTokenClaims } = await logIn(context, other)
      expectIncludes('the id_token', idTokenClaims, expectedClaims(second))
      const { sub } = expectedClaims(first)
      expectIncludes('the person', idTokenClaims, { sub })
    })
  },
})

const byPictures = defineScenario({
  id: 'revocation/by-pictures',
  title: 'A credential is issued, presented, revoked and rejected, all with pictures',
  usesBrowser: true,
  algorithms: ['ES256K'],
  description: `
The wallet receives everything as a picture, like a person with a phone:

1. the offer is the PNG attached to an employee's email,
2. the presentation request is on a screenshot of the login page in a real browser: the login succeeds,
3. the organization revokes the credential,
4. the next login page, again a screenshot, ends as *failed* in front of the user, only because of
   \`credential.status\`, and the browser never gets a code.`,
  references: cite(
    'Profile: 1.what-the-service-does',
    'Profile: 1.states-and-transitions.3, 1.states-and-transitions.4, 1.states-and-transitions.7',
    'Assumptions: A-22, A-23',
  ),

  async run(context) {
    const { step, environment, control, uniqueName } = context
    const { oidcClient, idpBaseUrl } = environment
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const wallet = context.createWallet()
    const email = `ana.${uniqueName}@example.org`

    const credential = await step(
      'An employee scans the picture attached to an email',
      async () => {
        const bearerToken = await control.createBearerToken({ organizationIdentifier })
        const power = powersToRequest(organization)
        await requestEmployeeOffer(context, bearerToken, { email, power })
        const { link } = await receiveOfferMail(context, email)
        return acceptOfferLink(context, wallet, link)
      },
    )

    const beginLogin = async () => {
      const relyingParty = await createRelyingParty(context, {
        caller: 'relying-party',
        issuerUrl: idpBaseUrl,
        client: oidcClient,
        scope: 'openid openid-vp-lear',
      })
      const { authorizationUrl } = relyingParty
      const login: OpenedLogin = await openLogin(context, authorizationUrl, oidcClient.redirectUri)
      return { relyingParty, login }
    }

    const first = await step('A relying party sends a browser to the IDP', beginLogin)
    await step('The wallet scans the screen and presents the credential', async () => {
      await presentCredential(context, wallet, await scanPage(context, first.login.page))
    })
    await step('The browser is led back, and the code yields tokens', async () => {
      const tokens = await first.relyingParty.redeem(await awaitRedirect(context, first.login))
      expectEqual('email of the id_token', tokens.idTokenClaims.email, email)
    })

    await step('The organization revokes the credential', () =>
      revokeCredential(context, credential.credentialId),
    )

    const second = await step('The browser begins another login', beginLogin)
    await step('The wallet scans the screen and presents the revoked credential', async () => {
      await presentCredential(context, wallet, await scanPage(context, second.login.page))
    })
    await step('The page shows the rejection to the user', async () => {
      const { page } = second.login
      await awaitLoginState(context, page, 'failed')
      const text = await page.content()
      expectEqual('the broken rules', brokenRulesOf({ text }), ['credential.status'])
      const stays = page.url().startsWith(`${idpBaseUrl}/`)
      expectTrue('the browser stays at the IDP', stays, page.url())
    })
  },
})

export const scenarios = [loginAfterRevocation, issuedAgain, oneOfTwo, byPictures]
