import { expectEqual } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T41',
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
})
