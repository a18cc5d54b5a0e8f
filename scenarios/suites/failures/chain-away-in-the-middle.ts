import { signTransaction } from '#core/ethereum/transaction.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  expectRegistryRefusal,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectTrue } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'failures/chain-away-in-the-middle',
  title: 'A write that the chain interrupts is not told as done, and can be done afterwards',
  category: 'Failures',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
An organization has an update built and signed when the chain goes away. Sending answers 500: no hash
is given for what nobody took. Building answers 500 as well, and resolving is 500, *not* 404: a
registry that can't look must not say that there is nothing.

With the chain back the document is as it was; the very same signed transaction is sent again and
applied.`,
  references: [
    { document: 'Document 2', section: 'Errors, DID registry' },
    { document: 'Document 2', section: 'States and transitions, row 8' },
  ],

  async run(context) {
    const { step, uniqueName } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from, privateKey } = own
    const alsoKnownAs = `urn:example:${uniqueName}`
    const body = { did, alsoKnownAs, from }
    const namesOf = async () =>
      expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
    const { before, raw } = await step('It has an update built, and signs it', async () => {
      const unsigned = await didRegistry.build('updateAlsoKnownAs', body)
      return { before: await namesOf(), raw: signTransaction(unsigned, privateKey).raw }
    })
    await step('The chain is away: nothing can be sent, built or resolved', () =>
      whileBroken(context, 'chain-down', async () => {
        for (const [path, json] of [
          ['transactions/send', { signedRawTransaction: raw }],
          ['contract/updateAlsoKnownAs', body],
          [`identifiers/${encodeURIComponent(did)}`, undefined],
          ['identifiers', undefined],
        ] as const) {
          const answer = await callDidRegistry(context, path, json === undefined ? {} : { json })
          expectRegistryRefusal(answer, 500)
          expectTrue(`${path} gives no hash`, !answer.text.includes('tx_hash'), answer.text)
        }
      }),
    )
    await step('With the chain back, the same transaction is applied', async () => {
      expectEqual('alsoKnownAs', await namesOf(), before)
      expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
      expectEqual('alsoKnownAs', await namesOf(), [alsoKnownAs])
    })
  },
})
