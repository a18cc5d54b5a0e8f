import { defineCheck } from '../../../kit/check.ts'
import type { WalletContext } from '../context.ts'
import { findCredentialNotKept } from '../findings/find-credential-not-kept.ts'

export const check = defineCheck<WalletContext>({
  id: 'W70',
  title: 'While the TIR is down no credential is kept',
  level: 'practice',
  expectation: 'refuse',
  control: 'offers',
  description: 'Whoever can keep a wallet from the registry must not get by with that.',
  sends: 'A good offer, while the TIR does not answer.',
  decides: 'The wallet says that it refuses, and its list does not hold the credential.',
  async run(context) {
    context.trust.misbehave('tir', 'server-error')
    return findCredentialNotKept(context, {}, 'whose issuer the TIR could not be asked about')
  },
})
