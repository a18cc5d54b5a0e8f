import { signTransaction } from '#core/ethereum/transaction.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'concurrency/nonce-race',
  title: 'Two updates that were built for the same nonce: one is applied, the other told',
  category: 'Concurrency',
  algorithms: ['ES256K'],
  description: `
Two desks of an organization have an update built at the same time: both transactions have the same
nonce, that of the account's next one. Both are sent at once. One is applied; the other is answered 400
with \`invalid_nonce\`, which says what to do: build it again. Built again, it is applied too.

An account could otherwise lose one of its own writes without noticing.`,
  references: [
    { document: 'Document 2', section: 'Errors, DID registry, obsolete nonce' },
    { document: 'Assumptions', section: 'A-10, A-11' },
  ],

  async run(context) {
    const { step } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from, privateKey } = own
    const build = (alsoKnownAs: string) =>
      didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
    const names = ['urn:example:one', 'urn:example:two']
    const built = await step('Two desks have an update built', async () => {
      const both = await Promise.all(names.map(build))
      expectEqual('their nonces', both[0]?.nonce, both[1]?.nonce)
      return both
    })
    const loser = await step('Both are sent at once: one is applied, one refused', async () => {
      const answers = await Promise.all(
        built.map((unsigned) =>
          callDidRegistry(context, 'transactions/send', {
            json: { signedRawTransaction: signTransaction(unsigned, privateKey).raw },
          }),
        ),
      )
      const statuses = answers.map(({ status }) => status)
      expectEqual('the statuses', [...statuses].sort(), [200, 400])
      const refused = statuses.indexOf(400)
      const refusal = expectPresent('the refusal', answers[refused])
      expectRegistryRefusal(refusal, 400, 'invalid_nonce')
      return expectPresent('the refused name', names[refused])
    })
    await step('Built again, the other one is applied too', async () => {
      const { raw } = signTransaction(await build(loser), privateKey)
      expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
      const document = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('alsoKnownAs', document.alsoKnownAs, [loser])
    })
  },
})
