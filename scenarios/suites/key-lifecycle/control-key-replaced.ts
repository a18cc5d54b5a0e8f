import { createOwnIdentity, firstDocumentOf, registerDid } from '#scenarios/fixtures/own-dids.ts'
import { expectRevert, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/control-key-replaced',
  title: 'A controller replaces the document and its control key, and the old key is done',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
\`insertDidDocument\` is authorised against the current controller, not the onboarding list: the
onboarding node's transaction reverts, that of the organization is applied. The document now has the
new control key and the new context.

The former key may no longer write, the new one may; alsoKnownAs stays what it was.`,
  references: [
    { document: 'Document 2', section: 'States and transitions, row 2' },
    { document: 'Document 2', section: 'Endpoints, DID registry, insertDidDocument body' },
    { document: 'Assumptions', section: 'A-02, A-05' },
  ],
  needs: ['revert-reasons'],

  async run(context) {
    const { step, environment, uniqueName } = context
    const { writeDid, didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did } = own
    const key = createOwnIdentity(context, 'new control key')
    const { alsoKnownAs, ...document } = firstDocumentOf(context, key)
    const extra = `https://example.org/${uniqueName}`
    const contexts = ['https://www.w3.org/ns/did/v1', extra]
    const baseDocument = JSON.stringify({ '@context': contexts })
    const body = { ...document, did, baseDocument }
    const rename = (signer: typeof own) =>
      writeDid('updateAlsoKnownAs', { did, alsoKnownAs: 'urn:example:renamed' }, signer)

    await step('The onboarding node cannot replace it', () =>
      expectRevert(
        'the replacement',
        writeDid('insertDidDocument', body, environment.onboardingNode),
        'DidRegistryNotController',
      ),
    )
    await step('The organization can', async () => {
      await writeDid('insertDidDocument', body, own)
      const resolved = expectPresent('the document', await didRegistry.resolve(did))
      expectEqual('@context', resolved['@context'], contexts)
      expectEqual('alsoKnownAs', resolved.alsoKnownAs, [alsoKnownAs])
      const capability = resolved.capabilityInvocation
      expectEqual('the control key', capability, [`${did}#${key.vMethodId}`])
    })
    await step('The former key may no longer write', () =>
      expectRevert('the update', rename(own), 'DidRegistryNotController'),
    )
    await step('The new one may', () => rename(key))
  },
})
