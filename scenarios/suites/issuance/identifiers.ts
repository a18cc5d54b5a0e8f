import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { askIssuer, expectIssuerRefusal } from '#scenarios/fixtures/portal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectJson, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/identifiers',
  title: 'A portal asks which types somebody may be issued',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
Before it shows a form, a portal asks which credential types a subject may be issued. The answer is a
list of types that the issuer is **configured** for, each of which its metadata offers to wallets too.
Without a subject it is a 400.`,
  references: [
    { document: 'Document 1', section: 'Endpoints, Credential Issuer, row 6' },
    { document: 'Document 1', section: 'IssuedCredential, row 3' },
    { document: 'Assumptions', section: 'A-43' },
  ],

  async run(context) {
    const { step, environment, httpAs, uniqueName } = context
    const { bearerToken } = await step('A representative of an organization', () =>
      foundOrganization(context),
    )
    const ask = (json: unknown) => askIssuer(context, 'identifiers', bearerToken, json)

    const types = await step('Their portal asks for a subject', async () => {
      const { vc_types, ...others } = expectJson(await ask({ subject_id: uniqueName }), 200)
      expectTrue('vc_types is a list of texts', Array.isArray(vc_types), vc_types)
      expectEqual('further members', others, {})
      return vc_types as unknown[]
    })
    await step(
      "The LEAR credential is among them, and each is in the issuer's metadata",
      async () => {
        expectTrue('it is there', types.includes('OrgPortalLearCredential'), types)
        const url = `${environment.credentialIssuerUrl}/.well-known/openid-credential-issuer`
        const metadata = expectJson(await httpAs('wallet').request(url), 200)
        const offered = (metadata.credentials_supported as { id: unknown }[]).map(({ id }) => id)
        const unknown = types.filter((type) => !offered.includes(type))
        expectEqual('types that wallets are not told of', unknown, [])
      },
    )
    await step('Without a subject it is a 400', async () => {
      for (const json of [{}, { subject_id: '' }, { subject_id: 7 }, { subject_id: null }, []]) {
        expectIssuerRefusal(await ask(json), 400)
      }
    })
  },
})
