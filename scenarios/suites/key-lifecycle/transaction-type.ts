import { signTypedTransaction } from '#core/ethereum/transaction.ts'
import { registerDid } from '#scenarios/fixtures/own-dids.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

/** The forms in which a wallet may sign what was built, with the first byte of each. */
const types = [
  { name: 'access-list', type: 1, prefix: '0x01' },
  { name: 'dynamic-fee', type: 2, prefix: '0x02' },
] as const

function scenarioFor({ name, type, prefix }: (typeof types)[number], index: number): Scenario {
  return defineScenario({
    id: `key-lifecycle/transaction-type-${name}`,
    title: `A transaction of type ${prefix} is as good as any`,
    category: 'Key lifecycle',
    algorithms: oneAlgorithm(index),
    description: `
The registry builds, the client signs with whatever its library makes of it: here a typed transaction
(EIP-2718) that begins with \`${prefix}\`. The send endpoint takes it, and the change is applied.`,
    references: [
      {
        document: 'Document 2',
        section: 'Endpoints, DID registry, POST /api/v1/transactions/send',
      },
    ],

    async run(context) {
      const { step } = context
      const { didRegistry } = openRegistries(context)
      const own = await step('An organization registers a DID', () =>
        registerDid(context, 'organization', { isForAssertions: false }),
      )
      const { did, address: from } = own
      const alsoKnownAs = `urn:example:${name}`
      const raw = await step(`It signs an update as type ${prefix}`, async () => {
        const built = await didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
        return signTypedTransaction(built, type, own.privateKey).raw
      })
      await step('The registry applies it', async () => {
        expectEqual('the first byte', raw.slice(0, 4), prefix)
        expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
        const document = expectPresent('the document', await didRegistry.resolve(did))
        expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
      })
    },
  })
}

export const scenarios = types.map(scenarioFor)
