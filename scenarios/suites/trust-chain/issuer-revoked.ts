import {
  accredit,
  attributeIdOf,
  createOwnIssuer,
  revokeAccreditation,
} from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'trust-chain/issuer-revoked',
  title: 'An issuer whose accreditation ends logs nobody in until it is accredited anew',
  category: 'Trust chain',
  algorithms: ['ES256K'],
  description: `
A credential logs its holder in. Then the TAO **revokes** the issuer's accreditation:
\`setAttributeMetadata\` with \`REVOKED\` and the \`taoDid\` of the publication. The TIR shows
\`REVOKED\`, and the very next login fails, whatever the credential's own period says.

A revocation is final: the same attribute can't be published again. Accredited anew under another
attribute, the issuer issues again; what it issued before still points to the revoked one.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 7' },
    { document: 'Document 1', section: 'Credential schema rules checked on presentation, row 8' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const wallet = context.createWallet()
    const later = context.createWallet()

    const issuer = await step('The TAO accredits an issuer', () => createOwnIssuer(context))
    await step('Its credential logs a holder in', async () => {
      await giveOwnCredential(context, issuer, wallet)
      await logIn(context, wallet)
    })
    await step('The TAO revokes the accreditation, and the TIR shows it', async () => {
      await revokeAccreditation(context, issuer, tao)
      const { tir } = openRegistries(context)
      const read = await tir.readAttribute(issuer.did, issuer.attributeId)
      const { attribute } = expectPresent('the accreditation', read)
      expectEqual('issuerType', attribute.issuerType, 'REVOKED')
    })
    await step('The next login fails', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
    await step('The same attribute is not published again', () =>
      expectRevert(
        'publishing it again',
        accredit(context, issuer, tao, { issuerType: 'TI' }),
        'TrustedIssuersRegistryAttributeIsRevoked',
      ),
    )
    await step('Accredited anew, the issuer issues again', async () => {
      const attributeId = attributeIdOf(issuer, 2)
      const anew = await accredit(context, { ...issuer, attributeId }, tao, { issuerType: 'TI' })
      await giveOwnCredential(context, anew, later)
      await logIn(context, later)
    })
    await step('What it issued before stays refused', () =>
      expectLoginRefused(context, wallet, 'trust.not-revoked'),
    )
  },
})
