import { createSimulatedNetwork } from '../chain/create-simulated-network.ts'
import type { Finding } from './check.ts'

/** Whether the simulated chain, with its native part, starts on this machine. */
export async function checkChain(): Promise<Finding> {
  const name = 'chain node'
  try {
    const { request } = await createSimulatedNetwork({ chainId: 1, genesisTime: 1_700_000_000 })
    return { name, verdict: 'ok', found: String(await request('web3_clientVersion')) }
  } catch (error) {
    return {
      name,
      verdict: 'missing',
      found: error instanceof Error ? error.message : String(error),
      advice: 'Remove node_modules and install again: the native part was left out.',
    }
  }
}
