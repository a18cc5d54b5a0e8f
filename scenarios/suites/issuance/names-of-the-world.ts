import { foundOrganization } from '#scenarios/fixtures/organizations.ts'
import { ownOfferLink } from '#scenarios/fixtures/portal.ts'
import { fetchCredential } from '#scenarios/fixtures/wallet-endpoints.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

const names = [
  'Señor & Hijos "Ñandú", S. L.',
  '<b>Bold</b> & <script>alert(1)</script>',
  '株式会社 Bücher Łódź ᚠ 😀',
  "O'Brien; DROP TABLE records;--",
  'e\u0301 decomposed, {{braces}} $dollars %s \\n',
]

export const scenario = defineScenario({
  id: 'issuance/names-of-the-world',
  title: 'The names of organizations reach the credential as they are',
  category: 'Issuance',
  algorithms: ['EdDSA'],
  description: `
Between token and credential a name passes HTTP, two databases, JSON and a signature. Accents, quotes,
markup, emoji and what looks like SQL arrive **character by character**: a name that was trimmed,
escaped or normalised on the way would not be the registered one any more.`,
  references: [
    { document: 'Document 1', section: 'Token claims required by the Issuer, row 1' },
    { document: 'Assumptions', section: 'A-27' },
  ],

  async run(context) {
    const { step } = context
    const wallet = context.createWallet()
    for (const [index, organization] of names.entries()) {
      const { founded, link } = await step(`${organization} asks for a credential`, async () => {
        const founded = await foundOrganization(context, { name: `no${index}`, organization })
        return { founded, link: await ownOfferLink(context, founded) }
      })
      await step('The credential has that very name', async () => {
        const { vc } = await fetchCredential(context, wallet, link)
        const { mandator } = vc.credentialSubject.mandate
        expectEqual('the organization', mandator.organization, organization)
        const { organizationIdentifier } = founded
        expectEqual('its identifier', mandator.organizationIdentifier, organizationIdentifier)
      })
    }
  },
})
