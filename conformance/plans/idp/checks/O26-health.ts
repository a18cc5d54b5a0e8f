import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O26',
  title: 'GET /health tells the state of service and database',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.endpoints/credential-idp.1', '1.authentication.5'],
  description: 'Whoever operates it has nothing else to go by.',
  sends: 'GET /health without any credentials.',
  decides: '200 {status: ok, db: connected}',
  async run({ httpAs, baseUrl }) {
    const answer = await httpAs('operator').request(`${baseUrl}/health`)
    const { status, db } = requireJson(answer, 'GET /health')
    expectEqual('status', status, 'ok')
    expectEqual('db', db, 'connected')
    return held('status is ok and db connected.')
  },
})
