import { giveOwnCredential } from '#scenarios/fixtures/held-credentials.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'

const day = 86_400

export const scenario = defineScenario({
  id: 'time/credential-from-tomorrow',
  title: 'A credential that was dated ahead logs in when its day has come',
  category: 'Time',
  exclusive: true,
  algorithms: ['ES256K'],
  description: `
The issuer signs a credential that says it was signed tomorrow, and is valid from then on. Today it is
refused for both, and its signature can't be judged: nobody knows today which keys the issuer will
have tomorrow, and which it will have revoked.

A day later the same credential logs its holder in.`,
  references: [
    { document: 'Document 1', section: 'Credential schema rules checked on presentation' },
    { document: 'Assumptions', section: 'A-28' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control, environment } = context
    const wallet = context.createWallet()
    await step('A wallet holds a credential from tomorrow', () =>
      giveOwnCredential(context, environment.trustChain.issuer, wallet, {
        issuedAt: context.now() + day,
      }),
    )
    await step('Today it logs nobody in', () =>
      expectLoginRefused(
        context,
        wallet,
        'credential.issued-at',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.not-before',
      ),
    )
    try {
      await step('Tomorrow it logs its holder in', async () => {
        await control.advanceClock(day + 1)
        await logIn(context, wallet)
      })
    } finally {
      await control.resetClock()
    }
  },
})
