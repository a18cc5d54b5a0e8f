import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { endKey } from '../issuer-keys.ts'

export const check = defineVerifierCheck({
  id: 'V32',
  title: 'A credential that was signed a minute after its key was revoked is refused',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: ['2.states-and-transitions.4'],
  description:
    'notAfter is a time and not about a time: signatures made before it stay valid, later ones do not.',
  sends:
    'A credential that was signed nine minutes ago, with a key that was revoked ten minutes ago.',
  decides: 'It may not be accepted.',
  run(context) {
    const now = context.now()
    const issuer = registerIssuer(context.trust.world)
    endKey(context.trust.world, issuer, now - 600)
    const what = 'The key was revoked a minute before the credential was signed.'
    return expectRefused(context, [{ what, issuer, issuedAt: now - 540 }])
  },
})
