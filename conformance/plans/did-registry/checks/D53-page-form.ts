import { didPrefixes } from '#core/did/did-org.ts'
import { expectEqual, expectTrue } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D53',
  title: 'The list of DIDs tells page, pageSize, total, howMany and items',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.1'],
  description: 'By them a client walks through all DIDs and knows when it is done.',
  sends: 'GET of the identifiers with page=1 and pageSize=1, at least two DIDs being there.',
  decides: 'The four numbers are integers that fit each other, and items holds DIDs.',
  needs: ['onboarding-node'],
  async run({ registry, environment }) {
    await registry.register()
    await registry.register()
    const answer = await registry.get('identifiers?page=1&pageSize=1')
    const { page, pageSize, total, howMany, items } = requireJson(answer, 'The list of DIDs')
    expectEqual(
      'page, pageSize, howMany',
      { page, pageSize, howMany },
      { page: 1, pageSize: 1, howMany: 1 },
    )
    expectTrue(
      'total is an integer of at least 2',
      Number.isInteger(total) && Number(total) >= 2,
      total,
    )
    expectTrue('items is a list of one', Array.isArray(items) && items.length === 1, items)
    const [did] = items as string[]
    expectTrue('the item is a DID', String(did).startsWith(didPrefixes[environment]), did)
    return held('The page has the documented form')
  },
})
