import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { defectNamed } from '../counterparts/defect-named.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W20',
  title: 'A credential of an issuer that the TIR does not know is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'Anybody can issue; the TIR says whose credentials count.',
  sends: 'An offer whose credential is one whose issuer the TIR does not know.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { defect: defectNamed('not-accredited') },
      'whose issuer the TIR does not know',
    ),
})
