import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D04',
  title: 'insertDidDocument by the controller replaces the document and its control key',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.4', '2.states-and-transitions.2', '2.endpoints/did-registry.27'],
  description: 'It is the way to change the initial control key, and to rewrite the contexts.',
  sends:
    'insertDidDocument with another key and another @context, signed by the current controller.',
  decides: 'The document has the new @context, and controller holds the new account.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const successor = registry.createIdentity()
    const context = ['https://www.w3.org/ns/did/v1', 'https://example.org/replaced/v1']
    const baseDocument = JSON.stringify({ '@context': context })
    const { alsoKnownAs, ...body } = registry.firstDocumentOf(successor, {
      did: identity.did,
      baseDocument,
    })
    await registry.write('insertDidDocument', body, identity)
    const document = await registry.requireDocument(identity.did)
    expectEqual('@context', document['@context'], context)
    const controllers = document.controller.map((each) => each.toLowerCase())
    expectTrue(
      'controller holds the account of the new key',
      controllers.includes(successor.address.toLowerCase()),
      document.controller,
    )
    return held('The document has the new @context and the new controller')
  },
})
