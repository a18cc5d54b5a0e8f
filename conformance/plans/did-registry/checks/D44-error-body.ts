import { expectMatch } from '#scenarios/harness/expectations.ts'
import { requireJson } from '../../../kit/classify-answer.ts'
import { held } from '../../../kit/finding.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D44',
  title: 'A refusal tells its code and a description',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.errors/did-registry.1'],
  description: 'Clients branch by the code and show the description.',
  sends: 'insertFirstDidDocument with an empty object; GET of a malformed DID.',
  decides: 'Both answers are JSON with error and error_description, two texts.',
  async run({ registry }) {
    const answers = [
      await registry.post('contract/insertFirstDidDocument', {}),
      await registry.get('identifiers/no-did'),
    ]
    for (const answer of answers) {
      const body = requireJson(answer, 'A wrong request', [400, 404])
      expectMatch('error', body.error, /\w/)
      expectMatch('error_description', body.error_description, /\w/)
    }
    return held('Refusals have error and error_description')
  },
})
