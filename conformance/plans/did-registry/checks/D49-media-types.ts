import { requireJson } from '../../../kit/classify-answer.ts'
import { broken, held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D49',
  title: 'The document is served in the media type that was asked for',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.2'],
  description: 'By the media type a resolver knows how to read the document.',
  sends: 'GET of a registered DID with Accept application/did+ld+json and application/did+json.',
  decides: 'HTTP 200 each time; another content type than was asked for is a warning.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const { did } = await registry.register()
    for (const accept of ['application/did+ld+json', 'application/did+json']) {
      const path = `identifiers/${encodeURIComponent(did)}`
      const answer = await registry.get(path, { accept })
      requireJson(answer, `GET with Accept: ${accept}`)
      const [type = ''] = answer.contentType.split(';')
      const actual = type.trim().toLowerCase()
      if (actual !== accept) {
        const told = `Accept: ${accept} was answered as ${actual}`
        return broken(told, { expected: accept, actual, level: 'practice' })
      }
    }
    return held('Both media types are served as they are asked for')
  },
})
