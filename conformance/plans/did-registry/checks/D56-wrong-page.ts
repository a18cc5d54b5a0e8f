import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D56',
  title: 'page and pageSize below 1, or no integers, are refused',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.limits.1', '2.limits.2', '2.errors/did-registry.4'],
  description: 'A page of nothing looks like the end of the list.',
  sends: 'GET of the identifiers with page and pageSize of 0, -1, 1.5 and a text.',
  decides: 'HTTP 400 for each of them.',
  async run({ registry }) {
    const wrong = ['pageSize=0', 'pageSize=-1', 'pageSize=1.5', 'pageSize=ten', 'page=0', 'page=-1']
    const requests = [...wrong, 'page=1.5', 'page=x'].map(
      (query) => [query, () => registry.get(`identifiers?${query}`)] as const,
    )
    return findEachRefused(Object.fromEntries(requests), {
      statuses: [400],
      control: () => registry.get('identifiers?page=1&pageSize=1'),
    })
  },
})
