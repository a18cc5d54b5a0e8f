import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W23',
  title: 'A credential whose first @context is another is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'Verifiers refuse it: the wallet is where that can still be mended.',
  sends: 'An offer whose credential is one whose first @context is not that of the data model 2.0.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('context-order') },
      'whose first @context is not that of the data model 2.0',
    ),
})
