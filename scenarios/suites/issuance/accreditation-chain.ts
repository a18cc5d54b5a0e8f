import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { readTirAttribute } from '#scenarios/fixtures/accreditations.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'issuance/accreditation-chain',
  title: 'termsOfUse of a fresh credential leads from the issuer up to the root',
  category: 'Issuance',
  algorithms: ['ES256K'],
  description: `
A verifier in another country knows one thing: the **root** of the environment. The credential's
\`termsOfUse.id\` is the address of the issuer's accreditation in the TIR; that one names who accredited
the issuer (a TAO), whose accreditation names the root (RTAO). The scenario walks that way as anybody
can, by GET alone, and finds nobody revoked on it.`,
  references: [
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 8' },
    { document: 'Document 1', section: 'Errors, row 13' },
    { document: 'Document 2', section: 'TIR attribute' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    const { rootTao, tao, issuer } = environment.trustChain

    const { vc } = await step('A wallet collects a credential', async () => {
      const { offerUri } = await control.createOffer()
      return acceptOfferLink(context, wallet, offerUri)
    })
    const accreditation = await step(
      "termsOfUse resolves to the issuer's accreditation",
      async () => {
        const { id } = vc.termsOfUse as { id: string }
        expectTrue(
          'it is in the TIR of this environment',
          id.startsWith(`${environment.tirBaseUrl}/`),
          id,
        )
        const attribute = await readTirAttribute(context, id)
        expectEqual('whose it is', attribute.did, issuer.did)
        expectEqual('its role', attribute.issuerType, 'TI')
        return attribute
      },
    )
    const above = await step(
      'It was made by the TAO, whose accreditation is there too',
      async () => {
        const { tao: did, attributeIdTao } = accreditation
        expectEqual('who made it', did, tao.did)
        const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
        expectEqual('its role', attribute.issuerType, 'TAO')
        return attribute
      },
    )
    await step('That one was made by the root, which stands above itself', async () => {
      const { tao: did, attributeIdTao } = above
      expectEqual('who made it', did, rootTao.did)
      const attribute = await readTirAttribute(context, { did, attributeId: attributeIdTao })
      expectEqual('its role', attribute.issuerType, 'RTAO')
      expectEqual('who stands above it', attribute.tao, rootTao.did)
      for (const each of [accreditation, above, attribute]) {
        expectEqual(`the root that ${each.did} names`, each.rootTao, rootTao.did)
      }
    })
  },
})
