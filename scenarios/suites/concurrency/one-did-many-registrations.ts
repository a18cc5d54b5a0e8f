import { submitDidTransaction } from '#core/registries/did-registry-client.ts'
import { createOwnIdentity, firstDocumentOf } from '#scenarios/fixtures/own-dids.ts'
import { openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectIncludes, expectPresent } from '#scenarios/harness/expectations.ts'
import { atOnce } from '#scenarios/harness/waiting.ts'

const clerks = 5

export const scenario = defineScenario({
  id: 'concurrency/one-did-many-registrations',
  title: 'Of several registrations of one DID at once exactly one is applied',
  category: 'Concurrency',
  algorithms: ['EdDSA'],
  description: `
${clerks} clerks register the same DID in the same moment, all with the account of the onboarding node.
Their transactions race for its nonce: who loses has it built again, as a real client does. In the
end exactly one is applied, the others revert, and the registry knows the DID once, as the first one
wrote it.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 1' },
    { document: 'Document 2', section: 'Errors, DID registry, obsolete nonce' },
    { document: 'Assumptions', section: 'A-11' },
  ],

  async run(context) {
    const { step, environment } = context
    const { didRegistry } = openRegistries(context)
    const own = createOwnIdentity(context)
    const nameOf = (index: number) => `urn:example:clerk-${index}`

    const states = await step(`${clerks} clerks register one DID at once`, () =>
      atOnce(clerks, async (index) => {
        const body = { ...firstDocumentOf(context, own), alsoKnownAs: nameOf(index) }
        const sent = await submitDidTransaction(
          { didRegistry },
          'insertFirstDidDocument',
          body,
          environment.onboardingNode,
        )
        return sent.state
      }),
    )
    await step('Exactly one is applied', () => {
      const applied = states.filter((state) => state === 'applied').length
      const reverted = states.filter((state) => state === 'reverted').length
      expectIncludes('the outcomes', { applied, reverted }, { applied: 1, reverted: clerks - 1 })
    })
    await step('The DID is registered as that one wrote it', async () => {
      const document = expectPresent('the document', await didRegistry.resolve(own.did))
      const winner = states.indexOf('applied')
      expectEqual('alsoKnownAs', document.alsoKnownAs, [nameOf(winner)])
    })
  },
})
