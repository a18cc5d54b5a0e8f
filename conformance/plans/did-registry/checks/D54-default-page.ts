import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D54',
  title: 'Without page and pageSize the first ten DIDs are listed',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.limits.1', '2.limits.2', '2.endpoints/did-registry.1'],
  description: 'A client that relies on the defaults skips DIDs where they are others.',
  sends: 'GET of the identifiers without a query.',
  decides: 'page is 1, pageSize is 10, and there are at most ten items.',
  async run({ registry }) {
    const answer = await registry.get('identifiers')
    const { page, pageSize, items } = requireJson(answer, 'The list of DIDs')
    expectEqual('page and pageSize', { page, pageSize }, { page: 1, pageSize: 10 })
    expectTrue('items has at most ten', Array.isArray(items) && items.length <= 10, items)
    return held('The defaults are page 1 and ten items')
  },
})
