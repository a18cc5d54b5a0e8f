import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused, presentOnce } from '../expect-verdict.ts'
import { addKey, endKey } from '../issuer-keys.ts'

const hour = 3600

export const check = defineVerifierCheck({
  id: 'V34',
  title: 'A credential that the old key signed after the overlap is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['2.states-and-transitions.6'],
  description:
    'The old key expires by itself when the overlap is over. A verifier that remembers a DID document goes on taking it.',
  sends:
    'First a credential that the old key signed within the overlap, so that the verifier has seen it good; then one that it signed a minute ago, an hour after the overlap.',
  decides: 'The second one may not be accepted.',
  async run(context) {
    const { world } = context.trust
    const now = context.now()
    const issuer = registerIssuer(world)
    endKey(world, issuer, now - hour)
    addKey(world, issuer, now - 2 * hour)
    const before = 'The old key signed within the overlap.'
    await presentOnce(context, { what: before, issuer, issuedAt: now - 1.5 * hour })
    const what = 'The old key signed an hour after the overlap.'
    return expectRefused(context, [{ what, issuer, issuedAt: now - 60 }])
  },
})
