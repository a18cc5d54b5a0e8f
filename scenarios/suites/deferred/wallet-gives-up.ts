import { setTimeout as sleep } from 'node:timers/promises'
import { expectWalletRefusal } from '#scenarios/fixtures/wallet-refusals.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { acceptOffer } from '#wallet-emulator/actions/accept-offer.ts'
import type { DeferralOptions } from '#wallet-emulator/actions/poll-deferred-credential.ts'

const deferredSeconds = 7200
const maximumPolls = 4

export const scenario = defineScenario({
  id: 'deferred/wallet-gives-up',
  title: 'A wallet that would wait in vain stops, and says so',
  category: 'Deferred issuance',
  algorithms: ['ES256K'],
  description: `
The credential takes two hours, and the issuer says so with its first **202** (\`Retry-After\`). A wallet
must not poll for ever: one that waits for a quarter of an hour stops at once, since asking before that
time is in vain. One with more patience asks as often as it means to, never earlier than the issuer
said, and stops then. Neither keeps anything half done.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, row 12' },
    { document: 'Document 1', section: 'States and transitions, row 8' },
    { document: 'RFC 9110', section: '10.2.3' },
  ],

  async run(context) {
    const { step, control, signal } = context
    /** The wallet's waits in milliseconds, none of which it really waits. */
    const waitInVain = async (deferral: DeferralOptions): Promise<number[]> => {
      const wallet = context.createWallet()
      const waits: number[] = []
      const wait = (milliseconds: number) => {
        waits.push(milliseconds)
        return sleep(1, undefined, { signal })
      }
      const { offerUri } = await control.createOffer({ deferredSeconds })
      const accepted = acceptOffer(wallet, offerUri, { deferral: { ...deferral, wait } })
      await expectWalletRefusal('the acceptance', accepted, { code: 'deferred_time_out' })
      expectEqual('what the wallet keeps', await wallet.store.listCredentials(), [])
      return waits
    }

    await step('A wallet of ordinary patience asks once, and gives up', async () => {
      const waits = await waitInVain({})
      expectEqual('how often it asked', waits.length, 1)
    })
    await step(
      `A patient one asks ${maximumPolls} times, not earlier than it was told`,
      async () => {
        const longestWaitMilliseconds = Number.POSITIVE_INFINITY
        const [, ...later] = await waitInVain({ maximumPolls, longestWaitMilliseconds })
        expectEqual('how often it asked again', later.length, maximumPolls - 1)
        const told = (deferredSeconds - 60) * 1000
        expectTrue('it waited as long as the issuer said', Math.min(...later) >= told, later)
      },
    )
  },
})
