import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRedirectNotFollowed } from '../findings/find-redirect-not-followed.ts'

export const check = defineCheck<WalletContext>({
  id: 'W62',
  title: 'A redirect of the credential endpoint is not followed',
  level: 'practice',
  expectation: 'refuse',
  description: 'A redirect hands the access token and the proof to whoever the answer names.',
  sends: 'A credential endpoint that answers 307 with another address.',
  decides: 'Nothing arrives at the other address.',
  run: (context) => findRedirectNotFollowed(context, 'credential'),
})
