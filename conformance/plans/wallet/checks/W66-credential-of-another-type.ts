import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W66',
  title: 'A credential of another type than offered is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'The holder agreed to one mandate and would hold another.',
  sends: 'An offer whose credential is one of another type than the one that was offered.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('type-other') },
      'of another type than the one that was offered',
    ),
})
