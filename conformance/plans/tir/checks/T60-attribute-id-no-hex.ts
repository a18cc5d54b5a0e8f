import { randomBytes } from 'node:crypto'
import { inconclusive } from '../../../kit/finding.ts'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { requireVerdict } from '../../registries/require-verdict.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T60',
  title: 'An attributeId with other than hex characters is 400',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.7', '2.endpoints/tir.2'],
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
    // A well-formed one is answered otherwise, be it with 404.
    const { status } = requireVerdict(await tir.getAttribute(did, `${id}00`))
    if (status !== 200 && status !== 404) {
      return inconclusive(`A well-formed attributeId was answered HTTP ${status} as well`)
    }
    return findEachRefused(Object.fromEntries(requests), { statuses: [400] })
  },
})
