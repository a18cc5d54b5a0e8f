import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W18',
  title: 'A credential about somebody else is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: "It could never be presented, and it shows the holder a stranger's mandate.",
  sends: 'An offer whose credential is one about somebody else.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('subject-mismatch') },
      'about somebody else',
    ),
})
