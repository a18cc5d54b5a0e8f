import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { asPremise } from '../../../kit/as-premise.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D57',
  title: 'A page past the last one is empty',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.1'],
  description: 'A client that walks page by page ends there, and not with an error.',
  sends: 'GET of the identifiers with a page far beyond the end.',
  decides: 'HTTP 200 with howMany 0 and no items.',
  async run({ registry }) {
    const first = registry.get('identifiers?page=1&pageSize=10')
    const what = 'the first page (see D54)'
    await asPremise(
      what,
      first.then((taken) =>
        expectTrue('it has items', Array.isArray(requireJson(taken, what).items)),
      ),
    )
    const answer = await registry.get('identifiers?page=1000000&pageSize=10')
    const { howMany, items } = requireJson(answer, 'A page past the end')
    expectEqual('howMany and items', { howMany, items }, { howMany: 0, items: [] })
    return held('A page past the end is empty')
  },
})
