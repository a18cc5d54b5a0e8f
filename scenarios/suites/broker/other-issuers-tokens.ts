import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { firstOrganization, powersToRequest } from '#scenarios/fixtures/organizations.ts'
import { createUuidUrn } from '#scenarios/fixtures/own-dids.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectIncludes, expectJson, expectStatus } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'broker/other-issuers-tokens',
  title: "Tokens of the IDP open no door at the issuer: it takes the token issuer's alone",
  category: 'Broker',
  algorithms: ['EdDSA'],
  description: `
A relying party has tokens of the **IDP**, about a holder whose credential would do. They verify with
the IDP's key set, not with the one at \`JWKS_URI\`: the issuer answers its access token and its
id_token with 401 \`{error: Unauthorized, detail: invalid token}\`, at each endpoint. That is why there
is a broker.

The token issuer's token for the same organization is taken.`,
  references: [
    { document: 'Document 1', section: 'Authentication, row 1' },
    { document: 'Document 1', section: 'Errors, row 1' },
  ],

  async run(context) {
    const { step, environment, httpAs, control } = context
    const organization = firstOrganization(context)
    const { organizationIdentifier } = organization
    const wallet = context.createWallet()
    const bodies = {
      '/issuance/representative': { power: powersToRequest(organization) },
      '/issuance/credential': { organization_identifiers: [organizationIdentifier] },
      '/issuance/credential/revoke': { credential_id: createUuidUrn(context) },
      '/issuance/identifiers': { subject_id: context.uniqueName },
    }
    const ask = (path: keyof typeof bodies, token: string) =>
      httpAs('portal').request(`${environment.issuerBaseUrl}${path}`, {
        json: bodies[path],
        headers: { authorization: `Bearer ${token}` },
      })
    await step('A wallet holds a credential', () => collectCredential(context, wallet))
    const { accessToken, idToken } = await step('A relying party has tokens of the IDP', () =>
      logIn(context, wallet),
    )
    await step('The issuer takes neither of them', async () => {
      for (const path of Object.keys(bodies) as (keyof typeof bodies)[]) {
        for (const token of [accessToken, idToken]) {
          const answer = expectJson(await ask(path, token), 401)
          expectIncludes('the answer', answer, { error: 'Unauthorized', detail: 'invalid token' })
        }
      }
    })
    await step("It takes the token issuer's", async () => {
      const token = await control.createBearerToken({ organizationIdentifier })
      expectStatus(await ask('/issuance/identifiers', token), 200)
    })
  },
})
