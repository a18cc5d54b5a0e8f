import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W65',
  title: 'A credential that its status list says is revoked is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'The issuer has taken it back before it came; nobody will accept it.',
  sends: 'An offer whose credential is one that its status list says is revoked.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('revoked') },
      'that its status list says is revoked',
    ),
})
