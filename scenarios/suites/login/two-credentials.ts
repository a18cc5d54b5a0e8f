import { parseJws } from '#core/crypto/jws.ts'
import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { resolveEnvironmentDid } from '#scenarios/fixtures/environment-trust.ts'
import { expectedClaims } from '#scenarios/fixtures/held-credentials.ts'
import { beginLogin } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectIncludes,
  expectPresent,
  expectTrue,
} from '#scenarios/harness/expectations.ts'
import { createCredentialSelector } from '#wallet-emulator/actions/create-credential-selector.ts'
import { present } from '#wallet-emulator/actions/present.ts'

export const scenario = defineScenario({
  id: 'login/two-credentials',
  title: 'Of two credentials the holder chooses one, and nobody learns of the other',
  category: 'Login',
  algorithms: ['EdDSA'],
  description: `
Somebody represents two organizations and has a credential for each in one wallet. Both match the
request; the holder chooses that of the **first** one.

The presentation holds that one alone, and the login is on behalf of its organization.`,
  references: [
    { document: 'Document 1', section: 'Presentation authorization_request' },
    { document: 'Document 1', section: 'presentation_submission' },
    { document: 'Document 1', section: 'IDP id_token claims (scope openid-vp-lear)' },
  ],

  async run(context) {
    const { step, environment } = context
    const wallet = context.createWallet()
    const [first, second] = await step('A wallet holds a credential of two organizations', () =>
      Promise.all(
        environment.organizations
          .slice(0, 2)
          .map(({ organizationIdentifier }) =>
            collectCredential(context, wallet, { organizationIdentifier }),
          ),
      ),
    )
    const chosen = expectPresent('the credential that is chosen', first)
    const other = expectPresent('the other credential', second)
    const { organizationIdentifier } = chosen.vc.credentialSubject.mandate.mandator
    const { relyingParty, login } = await step('A relying party begins a login', () =>
      beginLogin(context),
    )
    const { vpToken } = await step("Both match; the holder chooses the first organization's", () =>
      present(wallet, login.link, {
        resolveDidDocument: resolveEnvironmentDid(context, wallet),
        select(matching) {
          expectEqual('the number of matching credentials', matching.candidates.length, 2)
          return createCredentialSelector({ organizationIdentifier })(matching)
        },
      }),
    )
    await step('The presentation holds that one alone', () => {
      const jws = parseJws(vpToken)
      const { verifiableCredential: held } = (jws.ok ? jws.payload.vp : {}) as {
        verifiableCredential?: readonly string[]
      }
      const ids = held?.map((credential) => {
        const inner = parseJws(credential)
        return inner.ok ? inner.payload.jti : undefined
      })
      expectEqual('the credentials in it', ids, [chosen.payload.jti])
    })
    await step('The login is on behalf of its organization', async () => {
      await login.awaitEnd('SUCCESS')
      const { idTokenClaims } = await relyingParty.redeem(await login.followRedirect())
      expectIncludes('the id_token', idTokenClaims, expectedClaims(chosen))
      const { mandator } = other.vc.credentialSubject.mandate
      const text = JSON.stringify(idTokenClaims)
      const isTold = text.includes(mandator.organizationIdentifier)
      expectTrue('nothing is said of the other one', !isTold, text)
    })
  },
})
