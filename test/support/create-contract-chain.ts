import { readFileSync } from 'node:fs'
import { Contract, type Interface, type Result, type TransactionRequest, type Wallet } from 'ethers'
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
  readonly contract: Contract
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

/** An empty chain in this process, with the `ethers` of `@nomicfoundation/hardhat-ethers`. */
export async function createContractChain(): Promise<ContractChain> {
  const hre = await createHardhatRuntimeEnvironment(config)
  const { ethers, close } = await hre.network.create()
  const { provider } = ethers
  const latestTime = async () => (await provider.getBlock('latest'))?.timestamp ?? 0
  let nextTime: number | undefined

  const sendTransaction = async (signer: Wallet, transaction: TransactionRequest) => {
    await provider.send('evm_setNextBlockTimestamp', [nextTime ?? (await latestTime())])
    nextTime = undefined
    const free = { type: 0, gasLimit: 15_000_000, gasPrice: 0 }
    const { hash } = await signer.connect(provider).sendTransaction({ ...transaction, ...free })
    const receipt = await provider.getTransactionReceipt(hash)
    if (receipt === null) throw new Error(`${hash} is not mined`)
    return receipt
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
    const { output = '0x' } = await provider.send('debug_traceTransaction', [hash, options])
    return namedOf(iface, output)
  }

  return {
    now: latestTime,
    setTime: async (seconds) => {
      nextTime = seconds
    },
    deploy: async (signer, name, ...args) => {
      // From the committed code, which `npm run check` holds against the sources: nothing is compiled.
      const { abi, bytecode } = readCompiledContract(name)
      const factory = await ethers.getContractFactory([...abi], bytecode)
      const receipt = await sendTransaction(signer, await factory.getDeployTransaction(...args))
      const iface = factory.interface
      if (receipt.status !== 1) throw new Error(textOf(await revertOf(iface, receipt.hash)))
      const address = receipt.contractAddress ?? ''
      return { address, iface, contract: new Contract(address, iface, provider) }
    },
    send: async (signer, { iface, contract }, method, ...args) => {
      const transaction = await contract.getFunction(method).populateTransaction(...args)
      const receipt = await sendTransaction(signer, transaction)
      const gasUsed = Number(receipt.gasUsed)
      if (receipt.status !== 1) {
        return { reverted: await revertOf(iface, receipt.hash), events: [], gasUsed }
      }
      const events = receipt.logs.map((log) => {
        const event = iface.parseLog(log)
        return { name: event?.name ?? '', args: plain(event?.args) as unknown[] }
      })
      return { reverted: undefined, events, gasUsed }
    },
    read: async ({ iface, contract }, method, ...args) => {
      const answer = await contract
        .getFunction(method)
        .staticCall(...args)
        .catch((error: { data?: unknown }) => {
          throw typeof error.data === 'string'
            ? new Error(textOf(namedOf(iface, error.data)))
            : error
        })
      return plain(answer)
    },
    snapshot: async () => {
      const id = await provider.send('evm_snapshot', [])
      return async () => {
        if (!(await provider.send('evm_revert', [id]))) throw new Error('not restored')
      }
    },
    close,
  }
}
