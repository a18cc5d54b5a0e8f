import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D06',
  title: 'updateBaseDocument replaces the @context',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.6', '2.resources-and-their-fields/did-document.1'],
  description:
    'A document whose @context lacks what its members need can’t be processed as JSON-LD.',
  sends: 'updateBaseDocument with a serialized JSON string that holds another @context.',
  decides: '@context of the document is that one.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const context = ['https://www.w3.org/ns/did/v1', 'https://example.org/updated/v1']
    const baseDocument = JSON.stringify({ '@context': context })
    await registry.write('updateBaseDocument', { did: identity.did, baseDocument }, identity)
    const document = await registry.requireDocument(identity.did)
    expectEqual('@context', document['@context'], context)
    return held('The document has the new @context')
  },
})
