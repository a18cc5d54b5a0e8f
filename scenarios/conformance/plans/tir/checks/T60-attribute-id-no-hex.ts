import { randomBytes } from 'node:crypto'
import { findEachRefused } from '../../../registries/find-each-refused.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T60',
  title: 'An attributeId with other than hex characters is 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.2', '2.endpoints/tir.2'],
  description: 'A 404 would say that nobody is accredited, where the address itself is wrong.',
  sends: 'GET with attributeIds that hold other letters, a hyphen and a blank.',
  decides: 'HTTP 400 for each of them.',
  async run({ tir, didRegistry }) {
    const { did } = didRegistry.createIdentity()
    const id = randomBytes(31).toString('hex')
    const wrong = { 'the letter g': `${id}g`, 'a hyphen': `${id}-`, 'a blank': `${id}%20` }
    const requests = Object.entries(wrong).map(
      ([what, attributeId]) =>
        [`${what} in attributeId`, () => tir.getAttribute(did, attributeId)] as const,
    )
    return findEachRefused(Object.fromEntries(requests), { statuses: [400] })
  },
})
