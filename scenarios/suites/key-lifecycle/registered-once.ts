import { createDidProof } from '#core/did/did-proof.ts'
import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/registered-once',
  title: 'A DID is registered once, with its own key and its own proof',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
\`insertFirstDidDocument\` is done once per entity: a second time reverts, although the onboarding node
signs it.

Nobody registers a DID with somebody else's key either: the proof belongs to the key, and the DID to
the proof. With another key, another proof, or another DID the transaction reverts, and the registry
knows nothing of it.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 1' },
    { document: 'Document 2', section: 'Endpoints, DID registry, insertFirstDidDocument body' },
    { document: 'Assumptions', section: 'A-01' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment } = context
    const { didRegistry, writeDid } = openRegistries(context)
    const insert = (changed: object = {}) =>
      writeDid(
        'insertFirstDidDocument',
        { ...firstDocumentOf(context, victim), ...changed },
        environment.onboardingNode,
      )
    const victim = createOwnIdentity(context, 'victim')
    const thief = createOwnIdentity(context, 'thief')

    await step("Nobody registers it with another key under the owner's proof", () => {
      const { publicKey, vMethodId } = thief
      return expectRevert('the theft', insert({ publicKey, vMethodId }), 'DidRegistryInvalidProof')
    })
    await step('Nobody registers it with a proof and key of their own', () => {
      const { vMethodId, privateKey } = thief
      const theft = insert({ vMethodId, ...createDidProof(privateKey) })
      return expectRevert('the theft', theft, 'DidRegistryDidMismatch')
    })
    await step('The registry knows nothing of it', async () => {
      expectEqual('the document', await didRegistry.resolve(victim.did), undefined)
    })
    await step('Its owner registers it', () =>
      registerDid(context, 'victim', { isForAssertions: false }),
    )
    await step('A second time it is refused', () =>
      expectRevert('the second time', insert(), 'DidRegistryDidAlreadyRegistered'),
    )
  },
})
