import { toIsoTime } from '#core/verification/data-model.ts'
import { registerIssuer } from '../../../world/register-issuer.ts'
import { defineVerifierCheck } from '../define-verifier-check.ts'
import { expectRefused } from '../expect-verdict.ts'
import { endKey } from '../issuer-keys.ts'

const hour = 3600

export const check = defineVerifierCheck({
  id: 'V30',
  title: 'A credential that a revoked key signed is refused, however it is dated back',
  level: 'spec',
  expectation: 'refuse',
  control: 'presentation',
  rows: [
    '2.states-and-transitions.4',
    '1.resources-and-their-fields/credential-schema-rules-checked-on-presentation.6',
  ],
  description:
    'Keys are revoked when they are stolen: what the thief signs afterwards must not count, and validFrom is the thief’s to choose. iat says when it was signed.',
  sends:
    'A credential whose iat is now, signed with a key that was revoked an hour ago; its validFrom and nbf lie before that.',
  decides: 'It may not be accepted.',
  run(context) {
    const { world } = context.trust
    const now = context.now()
    const issuer = registerIssuer(world)
    endKey(world, issuer, now - hour)
    const what = 'The key was revoked an hour before the credential was signed.'
    const defect = {
      name: 'dated-back',
      description: what,
      change: () => ({
        claims: { nbf: now - 2 * hour },
        vc: { validFrom: toIsoTime(now - 2 * hour) },
      }),
    }
    return expectRefused(context, [{ what, issuer, defect }])
  },
})
