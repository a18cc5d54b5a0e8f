import { findDocumentation } from '../../registries/find-documentation.ts'
import { defineTirCheck } from '../context.ts'

export const check = defineTirCheck({
  id: 'T43',
  title: 'The interactive documentation is at /api-docs',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/tir.5', '2.what-the-service-does.4'],
  description: 'It is where people who integrate the registry begin.',
  sends: 'GET /api-docs without a key.',
  decides: 'HTTP 200 with an HTML page, perhaps after redirections.',
  run: ({ httpAs, tirBaseUrl }) => findDocumentation(httpAs('developer'), `${tirBaseUrl}/api-docs`),
})
