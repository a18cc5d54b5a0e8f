import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findRedirectNotFollowed } from '../findings/find-redirect-not-followed.ts'

export const check = defineCheck<WalletContext>({
  id: 'W61',
  title: 'A redirect of the token endpoint is not followed',
  level: 'practice',
  expectation: 'refuse',
  description: 'A redirect hands the code and the PIN to whoever the answer names.',
  sends: 'A token endpoint that answers 307 with another address.',
  decides: 'Nothing arrives at the other address.',
  run: (context) => findRedirectNotFollowed(context, 'token'),
})
