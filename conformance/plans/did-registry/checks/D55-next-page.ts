import { expectEqual } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D55',
  title: 'The second page goes on where the first one ended',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.1', '2.limits.1'],
  description: 'Whoever walks through the pages has to meet each DID once.',
  sends: 'GET of the identifiers with pageSize=1 and page 1 and 2, then with pageSize=2.',
  decides: 'The two pages together are the page of two.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    await registry.register()
    await registry.register()
    const itemsOf = async (query: string) =>
      requireJson(await registry.get(`identifiers?${query}`), 'The list of DIDs').items as string[]
    const first = await itemsOf('page=1&pageSize=1')
    const second = await itemsOf('page=2&pageSize=1')
    const both = await itemsOf('page=1&pageSize=2')
    expectEqual('both pages together', [...first, ...second], both)
    return held('The pages follow each other')
  },
})
