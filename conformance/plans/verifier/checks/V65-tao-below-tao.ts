import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'

export const check = defineVerifierCheck({
  id: 'V65',
  title: 'An issuer several TAOs below the root is accepted',
  level: 'practice',
  expectation: 'accept',
  control: 'presentation',
  clauses: ['docs/assumptions.md, A-18'],
  description:
    'attribute.tao names the immediately superior TAO, which may stand below another one: the chain is walked to its root, however many there are.',
  sends: 'A credential of an issuer that a TAO accredited which another TAO had accredited.',
  decides: 'It has to be accepted.',
  run(context) {
    const { world } = context.trust
    const parent = registerIssuer(world, { issuerType: 'TAO' })
    const issuer = registerIssuer(world, { parent })
    return expectAccepted(context, [{ what: 'Two TAOs stand between issuer and root.', issuer }])
  },
})
