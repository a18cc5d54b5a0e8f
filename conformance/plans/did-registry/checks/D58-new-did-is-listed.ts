import { expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D58',
  title: 'A DID that was registered is counted in the list',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.1'],
  description: 'Whoever mirrors the registry learns of new organizations there.',
  sends: 'GET of the identifiers before and after a registration.',
  decides: 'total has grown.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const count = async () => {
      const answer = await registry.get('identifiers?page=1&pageSize=1')
      return Number(requireJson(answer, 'The list of DIDs').total)
    }
    await registry.register()
    const before = await count()
    await registry.register()
    const after = await count()
    expectTrue('total has grown by the new DID', after > before, { before, after })
    return held('The new DID is counted')
  },
})
