import { expectEqual } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D70',
  title: 'A DID resolves URL-encoded and as it is',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.2'],
  description: 'Clients differ in whether they encode the colons; a path may have them either way.',
  sends: 'GET of a registered DID with colons, and with %3A in their place.',
  decides: 'HTTP 200 with the same document, both times.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const { did } = await registry.register()
    const encoded = requireJson(
      await registry.get(`identifiers/${encodeURIComponent(did)}`),
      'The encoded DID',
    )
    const plain = requireJson(await registry.get(`identifiers/${did}`), 'The DID as it is')
    expectEqual('the document of the plain path', plain, encoded)
    return held('Both paths give the same document')
  },
})
