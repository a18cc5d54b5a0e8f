import {
  CANCUN,
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  type ProviderConfig,
} from '@nomicfoundation/edr'
import { RpcError } from './rpc-error.ts'

/**
 * The node's raw JSON-RPC interface, including `evm_*` and `hardhat_*`: never expose it on a port.
 */
export interface SimulatedNetwork {
  /** @throws RpcError the node's error */
  request<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
  /**
   * Makes several calls at little more than the cost of one, in this order, and returns their
   * results.
   * @throws RpcError the error of the first failed one, after which it makes none
   */
  requestAll(calls: readonly NetworkCall[]): Promise<readonly unknown[]>
}

/** A method with its parameters. */
export type NetworkCall = readonly [method: string, ...params: readonly unknown[]]

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
/** Part of each block's hash as well: Hardhat's own, from which the first journals come. */
const coinbase = Buffer.from('c014ba5ec014ba5ec014ba5ec014ba5ec014ba5e', 'hex')

const createConfig = ({ chainId, genesisTime }: SimulatedNetworkOptions): ProviderConfig => ({
  chainId: BigInt(chainId),
  networkId: BigInt(chainId),
  hardfork: CANCUN,
  network: { genesisBlockGasLimit: blockGasLimit, genesisBlockTime: BigInt(genesisTime) },
  genesisState: l1GenesisState(l1HardforkFromString(CANCUN)),
  ownedAccounts: [],
  coinbase,
  initialBaseFeePerGas: 0n,
  minGasPrice: 0n,
  defaultTransactionGasLimit: blockGasLimit,
  // Blocks of one second share its timestamp; otherwise a burst outruns the clock.
  allowBlocksWithSameTimestamp: true,
  allowUnlimitedContractSize: false,
  bailOnCallFailure: true,
  // A failed transaction is mined and has a receipt, as on a real chain.
  bailOnTransactionFailure: false,
  mining: { autoMine: false, blockGasLimit, memPool: { order: MineOrdering.Fifo } },
  observability: {},
  precompileOverrides: [],
})

const silent = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback() {} }

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** As in Geth: the call was executed and failed. */
const executionFailed = 3

/** Converts an error of the engine to the code, wording and revert data that clients know. */
function errorOf({ code, message, data }: NonNullable<RpcAnswer['error']>): RpcError {
  const revertData = (data as { readonly data?: unknown } | null | undefined)?.data
  if (typeof revertData !== 'string' || /ran out of gas/.test(message)) {
    return new RpcError(code, message)
  }
  const withoutReason = revertData === '0x' && !/invalid opcode|code is too large/.test(message)
  const known = withoutReason
    ? 'Transaction reverted without a reason string'
    : message.replace(/^reverted with /, 'VM Exception while processing transaction: $&')
  return new RpcError(executionFailed, known, revertData)
}

/**
 * Starts an empty Ethereum chain in this process: zero gas price, no accounts, and mining only on
 * `evm_mine`, so that the caller decides block by block. It is Hardhat's engine without Hardhat,
 * which takes longer to load than the chain takes to start.
 */
export async function createSimulatedNetwork(
  options: SimulatedNetworkOptions,
): Promise<SimulatedNetwork> {
  const context = new EdrContext()
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  const provider = await context.createProvider(
    L1_CHAIN_TYPE,
    createConfig(options),
    silent,
    { subscriptionCallback() {} },
    ContractDecoder.withContracts({}),
  )
  const send = async (message: unknown): Promise<unknown> => {
    const { data } = await provider.handleRequest(JSON.stringify(message))
    const answer: RpcAnswer = typeof data === 'string' ? JSON.parse(data) : data
    if (answer.error !== undefined) throw errorOf(answer.error)
    return answer.result
  }
  const messageOf = ([method, ...params]: NetworkCall) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params,
  })
  return {
    request: async <Result>(method: string, params: readonly unknown[] = []) =>
      (await send(messageOf([method, ...params]))) as Result,
    // The engine's answer to a batch is one object, unlike that of JSON-RPC.
    requestAll: async (calls) => (await send(calls.map(messageOf))) as readonly unknown[],
  }
}
