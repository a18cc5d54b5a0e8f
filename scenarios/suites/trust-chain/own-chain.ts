import { createOwnIssuer, createOwnTao } from '#scenarios/fixtures/accreditations.ts'
import { expectedClaims, giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { logIn } from '#scenarios/fixtures/log-in.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/own-chain',
  title: 'Whoever is accredited over a TAO of its own issues credentials that log people in',
  category: 'Trust chain',
  description: `
The root accredits a new **TAO**, and that TAO a new **trusted issuer**, each by
\`setAttributeMetadata\`, then \`setAttributeData\`. Anybody can read both accreditations: issuer type,
immediately superior TAO and root are those of the publication.

The issuer signs a credential, a wallet presents it, and the holder is logged in: the verifier walks
the chain from the issuer up to the root that it trusts, and needs no other list of issuers.`,
  references: [
    { document: 'Document 2', section: 'What the service does' },
    { document: 'Document 2', section: 'TIR attribute (read result)' },
    { document: 'Document 1', section: 'Credential schema rules checked on presentation' },
    { document: 'Assumptions', section: 'A-16, A-17, A-18' },
  ],

  async run(context) {
    const { step, environment } = context
    const { rootTao } = environment.trustChain
    const { tir } = openRegistries(context, 'verifier')
    const wallet = context.createWallet()

    const tao = await step('A TAO registers its DID, and the root accredits it', () =>
      createOwnTao(context),
    )
    const issuer = await step('An issuer registers its DID, and the TAO accredits it', () =>
      createOwnIssuer(context, { by: tao }),
    )
    await step('Anybody can read both accreditations', async () => {
      for (const [subject, above, issuerType] of [
        [tao, rootTao, 'TAO'],
        [issuer, tao, 'TI'],
      ] as const) {
        const read = await tir.readAttribute(subject.did, subject.attributeId)
        const { did, attribute } = expectPresent(`the accreditation of the ${issuerType}`, read)
        expectEqual('the subject', did, subject.did)
        expectIncludes('the attribute', attribute, {
          issuerType,
          hash: subject.attributeId,
          tao: above.did,
          rootTao: rootTao.did,
        })
      }
    })
    const credential = await step('The issuer signs a credential for a wallet', () =>
      giveOwnCredential(context, issuer, wallet),
    )
    await step('It logs its holder in', async () => {
      const tokens = await logIn(context, wallet)
      expectIncludes('the claims', tokens.idTokenClaims, expectedClaims(credential))
    })
  },
})
