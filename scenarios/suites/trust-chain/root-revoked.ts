import { revokeAccreditation } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

export const scenario = defineScenario({
  id: 'trust-chain/root-revoked',
  title: 'When the root falls nobody logs in',
  category: 'Trust chain',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The operator revokes the accreditation of the **root** itself, on which everything in this environment
stands. A credential of the environment's own issuer, good a moment ago, logs nobody in: the root is
among the verifier's trusted roots by its DID, but its accreditation is judged as any other.

The scenario then puts the chain back from a snapshot, and the same credential logs in again.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 7' },
    { document: 'Assumptions', section: 'A-16, A-18' },
  ],
  needs: ['snapshots'],

  async run(context) {
    const { step, environment, control } = context
    const { operator, trustChain } = environment
    const wallet = context.createWallet()
    await step("A credential of the environment's issuer logs its holder in", async () => {
      await giveOwnCredential(context, trustChain.issuer, wallet)
      await logIn(context, wallet)
    })
    const snapshot = await step('A snapshot is taken', () => control.createSnapshot())
    try {
      await step('The operator revokes the root', () =>
        revokeAccreditation(context, trustChain.rootTao, trustChain.rootTao, operator),
      )
      await step('The same credential logs nobody in', () =>
        expectLoginRefused(context, wallet, 'trust.not-revoked'),
      )
    } finally {
      await control.restoreSnapshot(snapshot)
    }
    await step('With the chain put back it logs in again', () => logIn(context, wallet))
  },
})
