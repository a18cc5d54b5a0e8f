import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { broken, held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D01',
  title: 'insertFirstDidDocument, signed and sent, registers the DID',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.3', '2.states-and-transitions.1'],
  description:
    'Nothing else can be done with an organization before its DID is registered, and whoever resolves it has to find what was registered.',
  sends:
    'insertFirstDidDocument for a new key, signed by the onboarding node; then GET of the DID.',
  decides:
    'The DID resolves, with the id, the alsoKnownAs and the controller that were registered. A registry that does not register it is warned alone: the DID and its proof are made as the kit assumes.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const alsoKnownAs = 'urn:oid:organizationIdentifier:VATES-D00000001'
    const identity = registry.createIdentity()
    const { did, address } = identity
    const body = registry.firstDocumentOf(identity, { alsoKnownAs })
    const { isApplied, told } = await registry.attempt(
      'insertFirstDidDocument',
      body,
      registry.onboardingNode,
    )
    if (!isApplied) {
      const why = `insertFirstDidDocument by the onboarding node ${told}`
      return broken(`${why}; the documents do not show how its tool makes DIDs and proofs.`, {
        level: 'practice',
      })
    }
    const document = await registry.requireDocument(did)
    expectEqual('id of the document', document.id, did)
    expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
    const controllers = document.controller.map((each) => each.toLowerCase())
    expectTrue(
      "controller holds the address of the document's key",
      controllers.includes(address.toLowerCase()),
      document.controller,
    )
    return held('The DID is registered and resolves to what was registered')
  },
})
