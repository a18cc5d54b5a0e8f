import { resolve } from 'node:path'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'

/**
 * The node's raw JSON-RPC interface, including `evm_*` and `hardhat_*`: never expose it on a port.
 */
export interface SimulatedNetwork {
  /** @throws the node's error, with `code`, `message` and possibly `data` */
  request<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
}

export interface SimulatedNetworkOptions {
  readonly chainId: number
  /**
   * Time of the genesis block, Unix seconds; if it is fixed, the same transactions give the same
   * hashes.
   */
  readonly genesisTime: number
}

/** Part of each block's hash: a different value would change the hashes of existing journals. */
export const blockGasLimit = 60_000_000n

const projectRoot = resolve(import.meta.dirname, '../..')

/**
 * Starts an empty Ethereum chain in this process: zero gas price, no accounts, and mining only on
 * `evm_mine`, so that the caller decides block by block.
 */
export async function createSimulatedNetwork({
  chainId,
  genesisTime,
}: SimulatedNetworkOptions): Promise<SimulatedNetwork> {
  const environment = await createHardhatRuntimeEnvironment(
    {
      // A folder that never exists: build information in an existing folder is parsed at start.
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
