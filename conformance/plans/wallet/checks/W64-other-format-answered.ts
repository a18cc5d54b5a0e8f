import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W64',
  title: 'A credential in another format than asked for is not kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'The wallet would read it by rules that are not its own.',
  sends: 'An offer whose credential is answered with the format vc+sd-jwt.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  run: (context) =>
    findCredentialNotKept(
      context,
      { issued: { format: 'vc+sd-jwt' } },
      'that is answered as vc+sd-jwt',
    ),
})
