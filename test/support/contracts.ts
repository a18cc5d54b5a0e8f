import { readFileSync } from 'node:fs'
import { Contract, type Interface, type Result, type TransactionRequest, type Wallet } from 'ethers'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { relationshipNames } from '#core/did/did-document.ts'
import config from '../../hardhat.config.ts'
import { createDidKey, type DidKey } from './create-did-key.ts'
import { onFinished } from './services.ts'

/** A name with plain arguments: an event, or the custom error of a revert. */
interface Named {
  readonly name: string
  readonly args: readonly unknown[]
}

/** The result of a transaction: its events, or the error it reverted with. */
interface Outcome {
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
  /** Saves the state; the result restores it, once. */
  snapshot(): Promise<() => Promise<void>>
  close(): Promise<void>
}

interface Compiled {
  readonly abi: readonly object[]
  readonly bytecode: string
}

/** Converts ethers' results to plain arrays and objects, and bigint to number if it fits. */
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
async function createContractChain(): Promise<ContractChain> {
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
      // Uses the committed bytecode, which `npm run check` compares with the sources: nothing is compiled.
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

/** The part of a DID document that the tests compare with the contract. */
export interface ResolvedDid {
  readonly baseDocument: string
  readonly alsoKnownAs: string
  readonly controllers: readonly string[]
  /** Names of the relationships by vMethodId. */
  readonly methods: Readonly<Record<string, readonly string[]>>
}

/** The values of the contract's enums. */
export const relationship = Object.fromEntries(
  relationshipNames.map((name, index) => [name, index]),
) as Record<string, number>
export const keyType = { secp256k1: 0, jsonWebKey2020: 1 }
export const issuerType = { none: 0, rootTao: 1, tao: 2, ti: 3, revoked: 4 }

/** A validity period that includes each test. */
export const always = { notBefore: 1, notAfter: 10_000_000_000 }

export interface ControlKeyOptions {
  readonly notBefore?: number
  readonly notAfter?: number
  readonly vMethodId?: string
  readonly proof?: string
  readonly publicKey?: string
}

/** The contract's struct ControlKey. */
export function controlKeyOf(key: DidKey, options: ControlKeyOptions = {}) {
  const { vMethodId, proof, publicKey } = key
  return { vMethodId, proof, publicKey, ...always, ...options }
}

/** The contract's struct SuccessorKey. */
export function successorOf(key: DidKey, options: object = {}) {
  const { vMethodId, publicKey } = key
  return {
    vMethodId,
    publicKeyType: keyType.secp256k1,
    publicKey,
    ...always,
    duration: 0,
    ...options,
  }
}

/**
 * Creates both registries on a separate chain, with an operator and an authorized onboarding node.
 * The chain ends with the running test, or with the file.
 */
export async function createContractRegistries() {
  const chain = await createContractChain()
  onFinished(chain.close)
  const operator = createDidKey('operator')
  const node = createDidKey('node')
  const stranger = createDidKey('stranger')
  const registry = await chain.deploy(
    operator.wallet,
    'DidRegistry',
    operator.address,
    'did:org:uc-pre:',
  )
  const tir = await chain.deploy(operator.wallet, 'TrustedIssuersRegistry', registry.address)

  /** A transaction to the DID registry. */
  const write = (signer: DidKey, method: string, ...args: unknown[]): Promise<Outcome> =>
    chain.send(signer.wallet, registry, method, ...args)
  /** A transaction to the DID registry that must succeed. */
  const done = async (signer: DidKey, method: string, ...args: unknown[]): Promise<void> => {
    const { reverted } = await write(signer, method, ...args)
    if (reverted) throw new Error(`${method} reverted: ${reverted.name} ${reverted.args}`)
  }
  await done(operator, 'authorizeOnboardingNode', node.address)

  /** Returns the document at an instant; undefined if the DID was not registered then. */
  const resolveAt = async (did: string, time: number) => {
    const [found, document] = (await chain.read(registry, 'resolveAt', did, time)) as [
      boolean,
      [string, string, string[], [string, number, number, string][]],
    ]
    if (!found) return undefined
    const [baseDocument, alsoKnownAs, controllers, methods] = document
    return {
      baseDocument,
      alsoKnownAs,
      controllers,
      methods: methods.map(([vMethodId, _type, mask, publicKey]) => ({
        vMethodId,
        publicKey,
        uses: relationshipNames.filter((_name, index) => (mask & (1 << index)) !== 0),
      })),
    }
  }

  return {
    chain,
    operator,
    node,
    stranger,
    registry,
    tir,
    write,
    done,
    /** Registers the key of this label with a separate DID. */
    register: async (label: string, options: ControlKeyOptions = {}): Promise<DidKey> => {
      const key = createDidKey(label)
      await done(
        node,
        'insertFirstDidDocument',
        key.did,
        '{"@context":[]}',
        controlKeyOf(key, options),
        `urn:${label}`,
      )
      return key
    },
    resolveAt,
    /** The same, with the uses of each method by its id. */
    documentAt: async (did: string, time: number): Promise<ResolvedDid | undefined> => {
      const document = await resolveAt(did, time)
      return (
        document && {
          ...document,
          methods: Object.fromEntries(
            document.methods.map(({ vMethodId, uses }) => [vMethodId, uses]),
          ),
        }
      )
    },
  }
}
