import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireResolving } from '../require-resolving.ts'

export const check = defineDidRegistryCheck({
  id: 'D46',
  title: 'A DID that is not registered is 404',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.5', '2.errors/did-registry.8'],
  description:
    'A verifier takes the answer for the truth about an issuer: an empty document is not the same as none.',
  sends: 'GET of a well-formed DID that nobody has registered.',
  decides: 'HTTP 404.',
  async run({ registry }) {
    await requireResolving(registry)
    const { did } = registry.createIdentity()
    const answer = await registry.get(`identifiers/${encodeURIComponent(did)}`)
    return findRefusal(answer, { what: 'A DID that is not registered', statuses: [404] })
  },
})
