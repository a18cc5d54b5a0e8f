import { setTimeout as sleep } from 'node:timers/promises'
import { acceptOfferLink } from '#scenarios/fixtures/accept-offer-link.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

/** So much less does the wallet really wait than it means to. */
const hurry = 20

export const scenario = defineScenario({
  id: 'deferred/wallet-polls',
  title: 'A wallet polls until its credential is there',
  category: 'Deferred issuance',
  algorithms: ['EdDSA'],
  description: `
The wallet emulator is left to itself: it takes the **202** for what it is, waits, asks again with the
same token, never more often than it should, and keeps the credential once it comes. (To be quick, the
scenario lets its seconds pass ${hurry} times as fast.)`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet: .12, .13' },
    { document: 'OpenID4VCI 1.0', section: '9' },
  ],

  async run(context) {
    const { step, control, signal } = context
    const wallet = context.createWallet()
    const waits: number[] = []

    const { offerUri } = await step('The issuer makes an offer that takes a second', () =>
      control.createOffer({ deferredSeconds: 1 }),
    )
    await step('The wallet accepts it, polls, and keeps the credential', async () => {
      const wait = (milliseconds: number) => {
        waits.push(milliseconds)
        return sleep(milliseconds / hurry, undefined, { signal })
      }
      await acceptOfferLink(context, wallet, offerUri, { deferral: { wait } })
      expectEqual('credentials in the wallet', (await wallet.store.listCredentials()).length, 1)
    })
    await step('It asked more than once, and never in a hurry', () => {
      expectTrue('it polled more than once', waits.length > 1, waits)
      expectTrue('it waited a second at least, each time', Math.min(...waits) >= 1000, waits)
      const isPatient = waits.every((wait, index) => wait >= (waits[index - 1] ?? 0))
      expectTrue('it never waited less than the time before', isPatient, waits)
    })
  },
})
