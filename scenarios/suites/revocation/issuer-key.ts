import { createOwnIssuer } from '#scenarios/fixtures/accreditations.ts'
import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

const hour = 3600

export const scenario = defineScenario({
  id: 'revocation/issuer-key',
  title: 'A stolen key is revoked back to the theft: what it signed before still logs in',
  category: 'Revocation',
  algorithms: ['EdDSA'],
  exclusive: true,
  description: `
An issuer signs a credential; two hours later its key signs another one. Then the issuer learns that
the key was **stolen an hour ago** and revokes it with that moment as \`notAfter\`. Both credentials
verified until then; now

- the one from before the theft still **logs in**: signatures made before \`notAfter\` stay valid,
- the one that whoever has the key signed **fails** for \`credential.issuer-key\`.

The issuer's accreditation stands as it did: nothing else has to be revoked.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 4' },
    { document: 'Assumptions', section: 'A-07, A-08, A-28' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, now, control } = context
    const [honest, forged] = [context.createWallet(), context.createWallet()]
    const issuer = await step('An issuer of its own is registered and accredited', () =>
      createOwnIssuer(context),
    )
    await step('It signs a credential', () => giveOwnCredential(context, issuer, honest))
    await step('Two hours later its key signs another one', async () => {
      await control.advanceClock(2 * hour)
      await giveOwnCredential(context, issuer, forged)
    })
    await step('Both log their holders in', async () => {
      await logIn(context, honest)
      await logIn(context, forged)
    })
    await step('The issuer revokes the key back to the theft, an hour ago', () => {
      const { did, vMethodId } = issuer
      const body = { did, vMethodId, notAfter: now() - hour }
      return openRegistries(context).writeDid('revokeVerificationMethod', body, issuer)
    })
    await step('What was signed before still logs its holder in', () => logIn(context, honest))
    await step('What was signed after fails', () =>
      expectLoginRefused(context, forged, 'credential.issuer-key', 'credential.signature'),
    )
  },
})
