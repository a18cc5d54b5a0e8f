import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'

export const check = defineDidRegistryCheck({
  id: 'D03',
  title: 'A transaction that is built and not sent changes nothing',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.what-the-service-does.1'],
  description:
    'Whoever asks what a change would look like has not made it. A nonce that is spent by building would block the account, as its next transaction waits for one that nobody signs.',
  sends: 'updateAlsoKnownAs twice, without sending either transaction.',
  decides: 'Both transactions have the same nonce, and the DID document is as before.',
  needs: ['onboarding-node'],
  async run({ registry }) {
    const identity = await registry.register()
    const before = await registry.requireDocument(identity.did)
    const first = await buildUpdate(registry, identity)
    const second = await buildUpdate(registry, identity)
    expectEqual('nonce of the second transaction', Number(second.nonce), Number(first.nonce))
    expectEqual('the document', await registry.requireDocument(identity.did), before)
    return held('Two transactions were built for one nonce, and the document is as before')
  },
})
