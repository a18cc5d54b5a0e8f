import { resolve } from 'node:path'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'

/** The node's raw JSON-RPC surface, `evm_*` and `hardhat_*` included: never put it on a port. */
export interface SimulatedNetwork {
  /** @throws whatever the node throws: an error with `code`, `message` and perhaps `data` */
  request<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
}

export interface SimulatedNetworkOptions {
  readonly chainId: number
  /** Time of the genesis block, Unix seconds; with it fixed, the same transactions give the same hashes. */
  readonly genesisTime: number
}

/** Part of each block's hash: another value would give journals other hashes. */
export const blockGasLimit = 60_000_000n

const projectRoot = resolve(import.meta.dirname, '../..')

/**
 * Starts an empty Ethereum chain in this process: zero gas price, no account of its own, and no
 * mining but on `evm_mine`, so that whoever holds it decides block by block.
 */
export async function createSimulatedNetwork({
  chainId,
  genesisTime,
}: SimulatedNetworkOptions): Promise<SimulatedNetwork> {
  const environment = await createHardhatRuntimeEnvironment(
    {
      // A folder that is never there: build information found in one is parsed at start.
      paths: { artifacts: resolve(projectRoot, 'node_modules/.no-artifacts') },
      networks: {
        node: {
          type: 'edr-simulated',
          chainType: 'l1',
          chainId,
          hardfork: 'cancun',
          initialDate: new Date(genesisTime * 1000),
          accounts: [],
          blockGasLimit,
          initialBaseFeePerGas: 0,
          gasPrice: 0n,
          // A failed transaction is mined and has a receipt, as on a real chain.
          throwOnTransactionFailures: false,
          // Blocks of one second share its timestamp; otherwise a burst outruns the clock.
          allowBlocksWithSameTimestamp: true,
          mining: { auto: false, interval: 0, mempool: { order: 'fifo' } },
        },
      },
    },
    {},
    projectRoot,
  )
  const { provider } = await environment.network.create({ network: 'node' })
  return {
    async request<Result>(method: string, params: readonly unknown[] = []) {
      return (await provider.request({ method, params: [...params] })) as Result
    },
  }
}
