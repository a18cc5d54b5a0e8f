import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D78',
  title: 'A base document that is no serialized JSON is refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/did-registry.6', '2.errors/did-registry.4'],
  description:
    'A document without a readable @context resolves to something that nobody can process.',
  sends: 'updateBaseDocument with texts that are no JSON, with an empty one, and with an object.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const { did, address: from } = registry.createIdentity()
    const send = (baseDocument: unknown) => () =>
      registry.post('contract/updateBaseDocument', { did, baseDocument, from })
    return findEachRefused(
      {
        'half of a JSON text': send('{"@context":['),
        'no JSON at all': send('context'),
        'an object in place of a text': send({ '@context': ['https://www.w3.org/ns/did/v1'] }),
        'an empty text': send(''),
      },
      {
        statuses: [400],
        control: send('{"@context":["https://www.w3.org/ns/did/v1"]}'),
      },
    )
  },
})
