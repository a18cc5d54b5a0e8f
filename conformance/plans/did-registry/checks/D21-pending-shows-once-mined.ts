import { isDeepStrictEqual } from 'node:util'
import { signTransaction } from '#core/ethereum/sign-transaction.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { pollUntil } from '../../../kit/poll-until.ts'
import { buildUpdate } from '../build-update.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { requireSent } from '../require-sent.ts'

export const check = defineDidRegistryCheck({
  id: 'D21',
  title: 'A change shows once its transaction is mined, and not before',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.endpoints/did-registry.33', '2.states-and-transitions.8'],
  description:
    'After a 206 a client reads the DID to learn whether the change was mined: a registry that shows what waits tells it a change that may never come.',
  sends: 'A signed transaction while no block is mined; then the chain goes on.',
  decides:
    'alsoKnownAs is the old one before the block and the new one within ten seconds afterwards.',
  needs: ['onboarding-node', 'mining'],
  async run({ registry, mining, signal }) {
    const identity = await registry.register()
    const before = await registry.requireDocument(identity.did)
    const built = await buildUpdate(registry, identity)
    await mining.hold()
    await requireSent(registry, signTransaction(built, identity.privateKey).raw, [206])
    const waiting = await registry.requireDocument(identity.did)
    expectEqual('alsoKnownAs while it waits', waiting.alsoKnownAs, before.alsoKnownAs)
    await mining.mine()
    const due = ['urn:oid:1.2.3:changed']
    const mined = await pollUntil({
      ask: () => registry.requireDocument(identity.did),
      isDone: ({ alsoKnownAs }) => isDeepStrictEqual(alsoKnownAs, due),
      limitMilliseconds: 10_000,
      signal,
    })
    expectEqual('alsoKnownAs once it is mined', mined.alsoKnownAs, due)
    return held('The change shows once it is mined and not before')
  },
})
