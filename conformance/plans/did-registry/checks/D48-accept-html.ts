import { findRefusal } from '../../../kit/classify-answer.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D48',
  title: 'Accept of another media type is refused with 406',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.errors/did-registry.6', '2.errors/did-registry.8'],
  description: 'A client that asks for a page must not get a document that it can’t show.',
  sends: 'GET of a registered DID with Accept: text/html.',
  decides: 'HTTP 406.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const { did } = await registry.register()
    const path = `identifiers/${encodeURIComponent(did)}`
    const answer = await registry.get(path, { accept: 'text/html' })
    return findRefusal(answer, { what: 'Accept: text/html', statuses: [406] })
  },
})
