import { randomBytes } from 'node:crypto'
import { expectEqual, expectMatch } from '#scenarios/harness/expectations.ts'
import { defineChecks, held, inconclusive } from '../../../kit/check.ts'
import { asPremise, findRefusal, requireAnswer, requireJson } from '../../../kit/classify-answer.ts'
import { metricLine } from '../../../kit/metric-line.ts'
import { findDocumentation, findEachRefused, requireVerdict } from '../../registries/findings.ts'
import type { TirContext } from '../context.ts'

export const checks = defineChecks<TirContext>({
  'T41-health': {
    title: '/health tells status and uptime, without a key',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.3', '2.authentication.3'],
    description: 'Whoever runs the registry watches it there.',
    sends: 'GET /health without a key.',
    decides: 'HTTP 200 with a text as status and a number as uptime.',
    async run({ tir }) {
      const { status, uptime } = requireJson(await tir.get('/health'), 'GET /health')
      expectEqual('type of status', typeof status, 'string')
      expectEqual('type of uptime', typeof uptime, 'number')
      return held('/health tells status and uptime')
    },
  },
  'T42-metrics': {
    title: '/metrics gives metrics as text, without a key',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.4', '2.authentication.3'],
    description: 'Whoever runs the registry collects them.',
    sends: 'GET /metrics without a key.',
    decides: 'HTTP 200 with a text that is not empty.',
    async run({ tir }) {
      const answer = requireAnswer(await tir.get('/metrics'), 'GET /metrics')
      expectMatch('content type', answer.contentType, /^(text\/|application\/openmetrics-text)/)
      expectMatch('the text', answer.text, metricLine)
      return held('/metrics gives metrics')
    },
  },
  'T43-documentation': {
    title: 'The interactive documentation is at /api-docs',
    level: 'spec',
    expectation: 'accept',
    rows: ['2.endpoints/tir.5', '2.what-the-service-does.4'],
    description: 'It is where people who integrate the registry begin.',
    sends: 'GET /api-docs without a key.',
    decides: 'HTTP 200 with an HTML page, perhaps after redirections.',
    run: ({ httpAs, tirBaseUrl }) =>
      findDocumentation(httpAs('developer'), `${tirBaseUrl}/api-docs`),
  },
  'T59-unknown-attribute': {
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
  },
  'T60-attribute-id-no-hex': {
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
  },
  'T61-attribute-id-with-prefix': {
    title: 'An attributeId with 0x is 400 when it is read',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.2', '2.errors/tir.7'],
    description:
      'It is given without 0x: one address for one attribute, in credentials and caches.',
    sends: 'GET of a published attribute with 0x before its attributeId.',
    decides: 'HTTP 400.',
    needs: ['accreditor'],
    async run({ tir, accreditor }) {
      const { did, attributeId } = await accreditor()
      await asPremise('reading it without 0x', tir.requireAttribute(did, attributeId))
      const answer = await tir.getAttribute(did, `0x${attributeId}`)
      return findRefusal(answer, { what: 'An attributeId with 0x', statuses: [400] })
    },
  },
})
