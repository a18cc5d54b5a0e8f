import { collectCredential } from '#scenarios/fixtures/accept-offer.ts'
import { expectLoginRefused, logIn } from '#scenarios/fixtures/log-in.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectTrue } from '#scenarios/harness/expectations.ts'

const twoDays = 2 * 86_400

export const scenario = defineScenario({
  id: 'time/clock-back',
  title: 'Once the clock is put back everything works as before',
  category: 'Time',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
Two days ahead a wallet collects a credential and logs in with it. Then the clock goes back to real
time. The credential now comes from the future, and no verifier takes it; but nothing else is caught
between the times: another wallet collects a credential and logs in.

A testbed that needed a new start after its clock was moved would be of little use.`,
  references: [
    { document: 'design/interfaces.md', section: '4. Control interface' },
    { document: 'Assumptions', section: 'A-28' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const fromTheFuture = context.createWallet()
    const wallet = context.createWallet()
    try {
      await step('Two days ahead a wallet collects a credential and logs in', async () => {
        await control.advanceClock(twoDays)
        await collectCredential(context, fromTheFuture)
        await logIn(context, fromTheFuture)
      })
    } finally {
      await control.resetClock()
    }
    await step('The clock is back', async () => {
      const now = await control.readClock()
      // `Date` may be the testbed's, in this process.
      const difference = now - (performance.timeOrigin + performance.now()) / 1000
      expectTrue('it tells real time', Math.abs(difference) < twoDays / 2, difference)
    })
    await step('The credential comes from the future now', () =>
      expectLoginRefused(
        context,
        fromTheFuture,
        'credential.issued-at',
        'credential.issuer-document',
        'credential.issuer-key',
        'credential.not-before',
      ),
    )
    await step('Another wallet collects one and logs in', async () => {
      await collectCredential(context, wallet)
      await logIn(context, wallet)
    })
  },
})
