import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W68',
  title: 'A credential below a revoked TAO is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'Who accredits others may lose that right; what stands below falls with it.',
  sends: "An offer whose credential is one whose issuer's TAO is revoked.",
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('parent-revoked') },
      "whose issuer's TAO is revoked",
    ),
})
