import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { addUse } from '../add-use.ts'
import { defineDidRegistryCheck } from '../context.ts'
import { isListed } from '../is-listed.ts'

export const check = defineDidRegistryCheck({
  id: 'D16',
  title: 'A revoked key stays valid for what was signed before its notAfter',
  level: 'spec',
  expectation: 'accept',
  rows: ['2.states-and-transitions.4', '2.endpoints/did-registry.2'],
  description:
    'Signatures made before notAfter stay valid: credentials that were issued before the theft must go on verifying.',
  sends: 'revokeVerificationMethod with a notAfter in half an hour, for a key in assertionMethod.',
  decides: 'assertionMethod names the key at notAfter - 1 and does not at notAfter + 1 (valid-at).',
  needs: ['onboarding-node'],
  async run({ registry, now }) {
    const identity = await registry.register()
    const { did, vMethodId } = identity
    await addUse(registry, identity, { notBefore: now() - 3600, notAfter: now() + 86_400 })
    const notAfter = now() + 1800
    await registry.write('revokeVerificationMethod', { did, vMethodId, notAfter }, identity)
    const before = await isListed(registry, identity, notAfter - 1)
    const after = await isListed(registry, identity, notAfter + 1)
    expectEqual('whether it is valid just before and just after', [before, after], [true, false])
    return held('The revoked key is valid up to its notAfter and not after it')
  },
})
