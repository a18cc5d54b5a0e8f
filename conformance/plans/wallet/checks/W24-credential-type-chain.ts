import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W24',
  title: 'A credential without its whole chain of types is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'Verifiers refuse it: the wallet is where that can still be mended.',
  sends: 'An offer whose credential is one whose types lack one of the inheritance chain.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('inherited-type-missing') },
      'whose types lack one of the inheritance chain',
    ),
})
