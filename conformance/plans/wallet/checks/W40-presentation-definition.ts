import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRequestRefused } from '../findings/find-request-refused.ts'

export const check = defineCheck<WalletContext>({
  id: 'W40',
  title: 'A request with a presentation_definition instead of a query is not answered',
  level: 'spec',
  expectation: 'refuse',
  control: 'requests',
  rows: ['1.resources-and-their-fields/presentation-authorization-request.6'],
  description:
    'DIF presentation definitions are unsupported: a wallet that guesses what is asked for discloses too much.',
  sends: 'A signed request at request_uri with presentation_definition and no dcql_query.',
  decides:
    'Nothing is posted to response_uri until the verb ends, and the wallet says that it refuses.',
  run: (context) =>
    findRequestRefused(context, {
      behaviour: { parameters: { dcql_query: undefined, presentation_definition: definition } },
      why: 'it asks by a presentation_definition',
    }),
})

const definition = {
  id: 'definition',
  input_descriptors: [
    { id: 'lear-credential', constraints: { fields: [{ path: ['$.vc.credentialSubject'] }] } },
  ],
}
