import { acceptOfferLink } from '#scenarios/fixtures/accept-offer.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'

const deferredSeconds = 600

export const scenario = defineScenario({
  id: 'deferred/wallet-polls',
  title: 'A wallet polls until its credential is there, as the issuer tells it to',
  category: 'Deferred issuance',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
The wallet emulator is left to itself; while it waits, the testbed's **clock** moves on. Its first poll
comes too early: the 202 says how long it still takes (\`Retry-After\`), the wallet waits that long and
not less, asks again with the same token, and keeps the credential. Two polls, no more.`,
  references: [
    { document: 'Document 1', section: 'Endpoints an issuer exposes to the wallet, rows 12, 13' },
    { document: 'RFC 9110', section: '10.2.3' },
  ],
  needs: ['clock'],

  async run(context) {
    const { step, control } = context
    const wallet = context.createWallet()
    const waits: number[] = []

    const { offerUri } = await step('The issuer makes an offer that takes ten minutes', () =>
      control.createOffer({ deferredSeconds }),
    )
    await step('The wallet accepts it, polls, and keeps the credential', async () => {
      const wait = (milliseconds: number) => {
        waits.push(milliseconds / 1000)
        return control.advanceClock(Math.ceil(milliseconds / 1000))
      }
      await acceptOfferLink(context, wallet, offerUri, { deferral: { wait } })
      expectEqual('credentials in the wallet', (await wallet.store.listCredentials()).length, 1)
    })
    await step('It asked too early once, and then waited as long as it was told', () => {
      const [first = 0, second = 0, ...others] = waits
      expectTrue('it waited a second at least before it asked', first >= 1, waits)
      const told = deferredSeconds - first
      // Real time goes on besides: the issuer may have named some seconds less.
      expectTrue('then as long as it was told', second <= told && second > told - 60, waits)
      expectEqual('further waits', others, [])
    })
  },
})
