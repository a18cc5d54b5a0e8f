import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectAccepted } from '../expect-verdict.ts'
import { endKey } from '../issuer-keys.ts'

const hour = 3600

export const check = defineVerifierCheck({
  id: 'V31',
  title: 'A credential that was signed before its key was revoked is accepted',
  level: 'spec',
  expectation: 'accept',
  control: 'presentation',
  rows: ['2.states-and-transitions.4'],
  description:
    'Signatures made before notAfter stay valid: otherwise each revoked key would lock out all whose credentials it signed.',
  sends: 'A credential that was signed two hours ago, with a key that was revoked one hour ago.',
  decides: 'It has to be accepted.',
  run(context) {
    const now = context.now()
    const issuer = registerIssuer(context.trust.world)
    endKey(context.trust.world, issuer, now - hour)
    const what = 'The key was revoked an hour after the credential was signed.'
    return expectAccepted(context, [{ what, issuer, issuedAt: now - 2 * hour }])
  },
})
