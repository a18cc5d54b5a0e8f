import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineCheck, held } from '../../../kit/check.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O14',
  title: 'state comes back as it was sent',
  level: 'spec',
  expectation: 'accept',
  control: 'login',
  rows: ['1.endpoints/credential-idp.17'],
  clauses: ['RFC 6749, 4.1.2'],
  description:
    'It is how a relying party knows that the login that comes back is the one that it began.',
  sends: 'A login with a state of unusual characters.',
  decides: 'The address that the browser comes back to has the same state.',
  async run(context) {
    const state = 'a state/with=signs&more+ñ'
    const { callback } = await context.logIn({ parameters: { state } })
    expectEqual('state', callback.searchParams.get('state'), state)
    return held('state came back unchanged.')
  },
})
