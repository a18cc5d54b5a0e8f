import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W22',
  title: 'A credential of another environment is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description:
    'A credential of the pre-production environment proves nothing in production, and the other way round.',
  sends: 'An offer whose credential is one whose termsOfUse points to another environment.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('terms-of-use-other-environment') },
      'whose termsOfUse points to another environment',
    ),
})
