import { readFileSync } from 'node:fs'
import { getAddress, Interface, type Result, Transaction, type Wallet } from 'ethers'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import config from '../../hardhat.config.ts'

/** Something by name with plain arguments: an event, or the custom error of a revert. */
export interface Named {
  readonly name: string
  readonly args: readonly unknown[]
}

/** What became of a transaction: the events it emitted, or the error it reverted with. */
export interface Outcome {
  readonly reverted: Named | undefined
  readonly events: readonly Named[]
  readonly gasUsed: number
}

export interface DeployedContract {
  readonly address: string
  readonly iface: Interface
}

export interface ContractChain {
  /** Time of the last block, Unix seconds. */
  now(): Promise<number>
  /** The next transaction is mined at this time, Unix seconds. */
  setTime(seconds: number): Promise<void>
  deploy(signer: Wallet, contract: string, ...args: unknown[]): Promise<DeployedContract>
  /** Signs, sends and mines a transaction; without `setTime` in the second of the last block. */
  send(
    signer: Wallet,
    contract: DeployedContract,
    method: string,
    ...args: unknown[]
  ): Promise<Outcome>
  /** `eth_call` at the last block; rejects with the error that it reverts with, as `Name(arguments)`. */
  read(contract: DeployedContract, method: string, ...args: unknown[]): Promise<unknown>
  /** Remembers the state; the result brings it back, once. */
  snapshot(): Promise<() => Promise<void>>
  close(): Promise<void>
}

interface Compiled {
  readonly abi: readonly object[]
  readonly bytecode: string
}

interface Receipt {
  readonly status: string
  readonly contractAddress: string | null
  readonly gasUsed: string
  readonly logs: readonly { address: string; topics: string[]; data: string }[]
}

/** ethers' results as plain arrays and objects, bigint as number where it fits. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
  if (!Array.isArray(value)) return value
  const entries = value as unknown as Result
  return [...entries].map(plain)
}

export function readCompiledContract(name: string): Compiled {
  const file = new URL(`../../contracts/compiled/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** An empty chain in this process, with ethers as the signer. */
export async function createContractChain(): Promise<ContractChain> {
  const hre = await createHardhatRuntimeEnvironment(config)
  const network = await hre.network.create()
  const request = async <T>(method: string, params: unknown[] = []) =>
    (await network.provider.request({ method, params })) as T
  const chainId = await request<string>('eth_chainId')
  const latestTime = async () =>
    Number(
      (await request<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])).timestamp,
    )
  let nextTime: number | undefined

  const sendTransaction = async (signer: Wallet, to: string | null, data: string) => {
    const nonce = Number(
      await request<string>('eth_getTransactionCount', [signer.address, 'latest']),
    )
    const raw = await signer.signTransaction(
      Transaction.from({ type: 0, chainId, nonce, gasLimit: 15_000_000, gasPrice: 0, to, data }),
    )
    await request('evm_setNextBlockTimestamp', [nextTime ?? (await latestTime())])
    nextTime = undefined
    const hash = await request<string>('eth_sendRawTransaction', [raw])
    const receipt = await request<Receipt>('eth_getTransactionReceipt', [hash])
    return { hash, receipt }
  }

  const textOf = ({ name, args }: Named) => `${name}(${args.join(', ')})`
  const namedOf = (iface: Interface, data: string): Named => {
    const error = iface.parseError(data)
    return error === null
      ? { name: data, args: [] }
      : { name: error.name, args: plain(error.args) as unknown[] }
  }

  const revertOf = async (iface: Interface, hash: string): Promise<Named> => {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const { output = '0x' } = await request<{ output?: string }>('debug_traceTransaction', [
      hash,
      options,
    ])
    return namedOf(iface, output)
  }

  return {
    now: latestTime,
    setTime: async (seconds) => {
      nextTime = seconds
    },
    deploy: async (signer, contract, ...args) => {
      const { abi, bytecode } = readCompiledContract(contract)
      const iface = new Interface(abi as never)
      const { receipt, hash } = await sendTransaction(
        signer,
        null,
        bytecode + iface.encodeDeploy(args).slice(2),
      )
      if (receipt.status !== '0x1') throw new Error(textOf(await revertOf(iface, hash)))
      return { address: getAddress(receipt.contractAddress ?? ''), iface }
    },
    send: async (signer, { address, iface }, method, ...args) => {
      const { hash, receipt } = await sendTransaction(
        signer,
        address,
        iface.encodeFunctionData(method, args),
      )
      const gasUsed = Number(receipt.gasUsed)
      if (receipt.status !== '0x1') {
        return { reverted: await revertOf(iface, hash), events: [], gasUsed }
      }
      const events = receipt.logs.map((log) => {
        const event = iface.parseLog(log)
        return { name: event?.name ?? '', args: plain(event?.args) as unknown[] }
      })
      return { reverted: undefined, events, gasUsed }
    },
    read: async ({ address, iface }, method, ...args) => {
      const data = iface.encodeFunctionData(method, args)
      const answer = await request<string>('eth_call', [{ to: address, data }, 'latest']).catch(
        (error: { data?: string }) => {
          throw error.data === undefined ? error : new Error(textOf(namedOf(iface, error.data)))
        },
      )
      const values = plain(iface.decodeFunctionResult(method, answer)) as unknown[]
      return values.length === 1 ? values[0] : values
    },
    snapshot: async () => {
      const id = await request<string>('evm_snapshot')
      return async () => {
        if (!(await request<boolean>('evm_revert', [id]))) throw new Error('not restored')
      }
    },
    close: () => network.close(),
  }
}
