import { randomBytes } from 'node:crypto'
import { findEachRefused } from '../../registries/find-each-refused.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T59',
  title: 'An attribute that is not there is 404',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/tir.6', '2.endpoints/tir.2'],
  description: 'A verifier takes the answer for the truth about an issuer.',
  sends: 'GET of an unknown DID, and of an unknown attributeId.',
  decides: 'HTTP 404 for both.',
  needs: ['accreditor'],
  async run({ tir, didRegistry, accreditor }) {
    const { did, attributeId } = await accreditor()
    const unknown = randomBytes(32).toString('hex')
    return findEachRefused(
      {
        'an unknown DID': () => tir.getAttribute(didRegistry.createIdentity().did, attributeId),
        'an unknown attributeId': () => tir.getAttribute(did, unknown),
      },
      { statuses: [404], control: () => tir.getAttribute(did, attributeId) },
    )
  },
})
