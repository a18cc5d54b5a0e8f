import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W19',
  title: 'An expired credential is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'A holder who keeps it learns only at the login that it is worth nothing.',
  sends: 'An offer whose credential is one that expired yesterday.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(context, { defect: defectNamed('expired') }, 'that expired yesterday'),
})
