import { setTimeout as sleep } from 'node:timers/promises'
import { expectWalletRefusal } from '#scenarios/fixtures/expect-wallet-refusal.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'

const maximumPolls = 4

export const scenario = defineScenario({
  id: 'deferred/wallet-gives-up',
  title: 'A wallet that waits in vain stops, and says so',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
The credential is not ready for hours. A wallet must not poll for ever: after ${maximumPolls} polls it
stops with an error of its own, keeps **nothing half done**, and has asked exactly that often.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet: .12' },
    { document: 'Document 1', section: 'States and transitions: .8' },
  ],

  async run(context) {
    const { step, control, signal } = context
    const wallet = context.createWallet()
    let waits = 0
    const { offerUri } = await step('The issuer makes an offer that takes hours', () =>
      control.createOffer({ deferredSeconds: 7200 }),
    )
    await step(`The wallet polls ${maximumPolls} times and gives up`, async () => {
      const wait = () => {
        waits += 1
        return sleep(1, undefined, { signal })
      }
      const accepted = acceptOffer(wallet, offerUri, { deferral: { wait, maximumPolls } })
      await expectWalletRefusal('the acceptance', accepted, { code: 'deferred_time_out' })
      expectEqual('how often it waited', waits, maximumPolls)
    })
    await step('It keeps nothing', async () => {
      expectEqual('credentials in the wallet', await wallet.store.listCredentials(), [])
    })
  },
})
