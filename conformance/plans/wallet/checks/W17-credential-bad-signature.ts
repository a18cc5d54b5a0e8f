import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W17',
  title: 'A credential whose signature does not verify is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description:
    'Whoever sits on the way, or a broken issuer, could put any mandate into the wallet; the holder learns of it at the first login that fails.',
  sends: "An offer whose credential is one whose issuer's signature does not verify.",
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('bad-signature') },
      "whose issuer's signature does not verify",
    ),
})
