import { z } from 'zod'
import { holderSuites } from '#core/crypto/suites.ts'
import type { PlayedWallet } from './create-wallet-session.ts'

export const zPlayedWallet = z.object({
  holder_did: z.string(),
  kid: z.string().describe('DID URL of the key that signs'),
  algorithm: z.enum(holderSuites),
  faults: z.array(z.string()).describe('Names of its deviations'),
})

/** Who the wallet is, as the verbs tell it. */
export function describeWallet({ account, faults }: PlayedWallet): z.infer<typeof zPlayedWallet> {
  const { did, kid, algorithm } = account
  return { holder_did: did, kid, algorithm, faults: faults.map(({ name }) => name) }
}
