import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W21',
  title: 'A credential of an issuer whose accreditation is revoked is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'A revoked issuer may be one whose key was stolen.',
  sends: "An offer whose credential is one whose issuer's accreditation is revoked.",
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('accreditation-revoked') },
      "whose issuer's accreditation is revoked",
    ),
})
