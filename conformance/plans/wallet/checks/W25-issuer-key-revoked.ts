import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W25',
  title: "A credential signed after the issuer's key was revoked is not kept",
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description:
    'Whoever stole the key goes on signing with it; the DID registry says since when that counts for nothing.',
  sends: "An offer whose credential is one signed after its issuer's key was revoked.",
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('key-revoked-before-issuance') },
      "signed after its issuer's key was revoked",
    ),
})
