import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { addKey, endKey } from '../issuer-keys.ts'

export const check = defineVerifierCheck({
  id: 'V33',
  title: 'Both keys are accepted while a rolled key overlaps with its successor',
  level: 'spec',
  expectation: 'accept',
  control: 'presentation',
  rows: ['2.states-and-transitions.6'],
  description:
    'Both keys are valid during the overlap: an issuer goes on signing with the old one until all its machines have the new one.',
  sends:
    'Two credentials that were signed a minute ago, within the overlap: with the old key, and with the new one.',
  decides: 'Both have to be accepted.',
  run(context) {
    const { world } = context.trust
    const now = context.now()
    const oldKey = registerIssuer(world)
    endKey(world, oldKey, now + 300)
    const newKey = addKey(world, oldKey, now - 300)
    const issuedAt = now - 60
    return expectAccepted(context, [
      { what: 'The old key signed within the overlap.', issuer: oldKey, issuedAt },
      { what: 'The new key signed within the overlap.', issuer: newKey, issuedAt },
    ])
  },
})
