import { findDocumentation } from '../../registries/find-documentation.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D74',
  title: 'The interactive documentation is at its place',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.what-the-service-does.4'],
  description: 'It is where people who integrate the registry begin.',
  sends: 'GET /api in pre-production, GET /api/v1 in production.',
  decides: 'HTTP 200 with an HTML page, perhaps after redirections.',
  async run({ httpAs, baseUrl, environment }) {
    const path = environment === 'pre' ? '/api' : '/api/v1'
    return findDocumentation(httpAs('developer'), `${baseUrl}${path}`)
  },
})
