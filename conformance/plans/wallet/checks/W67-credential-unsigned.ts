import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W67',
  title: 'A credential without a signature is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'alg none makes every payload a credential where a verifier trusts the header.',
  sends: 'An offer whose credential is one that is not signed (alg none).',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('alg-none') },
      'that is not signed (alg none)',
    ),
})
