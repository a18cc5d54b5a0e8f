import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createdContractAddress, type Signer, toHex, toQuantity } from '#core/ethereum/account.ts'
import type { ChainClient, TransactionReceipt } from '#kit/chain-client.ts'
import type { ChainProcess } from '#testbed/chain/start-chain-process.ts'
import { deploymentFailed } from '#testbed/errors.ts'

export interface ContractAddresses {
  readonly didRegistryAddress: string
  readonly tirAddress: string
}

/**
 * The addresses of the two registries: the operator's first two transactions create them, so their
 * addresses are known before the chain exists.
 */
export function contractAddressesOf(operatorAddress: string): ContractAddresses {
  return {
    didRegistryAddress: createdContractAddress(operatorAddress, 0),
    tirAddress: createdContractAddress(operatorAddress, 1),
  }
}

/**
 * The receipt of a transaction, or null if none arrives within the limit (milliseconds). Our own
 * chain node has it when it answers the transaction, so the first request finds it.
 */
export async function waitForReceipt(
  chain: ChainClient,
  hash: string,
  limitMilliseconds = 30_000,
): Promise<TransactionReceipt | null> {
  const end = performance.now() + limitMilliseconds
  for (let pause = 1; ; pause = Math.min(pause * 2, 500)) {
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null || performance.now() > end) return receipt
    await wait(pause)
  }
}

export interface DeployOptions {
  readonly chain: ChainClient
  readonly chainId: number
  readonly operator: Signer
  readonly didPrefix: string
  /** The account that may register new DIDs. */
  readonly onboardingNode: string
  /**
   * The testbed's private access to a chain whose RPC accepts no new contracts. Default: the RPC.
   */
  readonly send?: ChainProcess['sendRawTransactions'] | undefined
}

/** Enough for either registry; all transactions of the deployment still fit into one block. */
const creationGasLimit = 15_000_000
/** Enough to store an accreditation. */
const callGasLimit = 4_000_000
/** The operator's transactions that deploy the registries. */
export const operatorTransactions = 3
const compiledFolder = resolve(import.meta.dirname, '../../contracts/compiled')

interface CompiledContract {
  readonly bytecode: string
  /** The code on the chain, with zeros at `immutables`, which the constructor fills in. */
  readonly deployedBytecode: string
  /** In bytes. */
  readonly immutables: readonly { readonly start: number; readonly length: number }[]
}

function readCompiled(contract: string): CompiledContract {
  return JSON.parse(readFileSync(resolve(compiledFolder, `${contract}.json`), 'utf8'))
}

/** The operator's first three transactions, in the order of their nonces. */
export async function createDeployment({
  operator,
  didPrefix,
  onboardingNode,
}: Pick<DeployOptions, 'operator' | 'didPrefix' | 'onboardingNode'>) {
  // Only a start that deploys loads what encodes the transactions.
  const { createContract, deployContract } = await import('micro-eth-signer/abi.js')
  const { didRegistryAbi } = await import('#core/contracts/did-registry-abi.ts')
  const { trustedIssuersRegistryAbi } = await import(
    '#core/contracts/trusted-issuers-registry-abi.ts'
  )
  const { didRegistryAddress } = contractAddressesOf(operator.address)
  return [
    {
      what: 'the DID registry',
      data: deployContract(didRegistryAbi, readCompiled('DidRegistry').bytecode, {
        operator_: operator.address,
        didPrefix_: didPrefix,
      }),
    },
    {
      what: 'the trusted issuers registry',
      data: deployContract(
        trustedIssuersRegistryAbi,
        readCompiled('TrustedIssuersRegistry').bytecode,
        didRegistryAddress,
      ),
    },
    {
      what: 'the authorization of the onboarding node',
      to: didRegistryAddress,
      data: createContract(didRegistryAbi).authorizeOnboardingNode.encodeInput(onboardingNode),
    },
  ]
}

const bytesToHex = (value: string | Uint8Array) =>
  typeof value === 'string' ? value : toHex(value)

/** How many transactions of an account are mined. */
export async function countTransactions(chain: ChainClient, address: string): Promise<number> {
  return Number(await chain.request('eth_getTransactionCount', [address, 'latest']))
}

/** How many of the operator's first transactions are mined. */
const countDone = ({ chain, operator }: DeployOptions) => countTransactions(chain, operator.address)

/** Whether both registries are on the chain and the onboarding node was authorized once. */
export async function areContractsDeployed(options: DeployOptions): Promise<boolean> {
  return (await countDone(options)) >= operatorTransactions
}

/** Whether this is the code that the compiled contract leaves on the chain. */
function isCodeOf(contract: string, code: string): boolean {
  const { deployedBytecode, immutables } = readCompiled(contract)
  const found = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of immutables) found.fill(0, start, start + length)
  return found.equals(Buffer.from(deployedBytecode.slice(2), 'hex'))
}

/**
 * The address of a registry that the operator deployed from code of another version; undefined if
 * there is none. Nothing here works with other code: its documents differ.
 */
export async function findOutdatedContract(options: DeployOptions): Promise<string | undefined> {
  const { chain, operator } = options
  const { didRegistryAddress, tirAddress } = contractAddressesOf(operator.address)
  const deployed = [
    ['DidRegistry', didRegistryAddress],
    ['TrustedIssuersRegistry', tirAddress],
  ] as const
  const checks = deployed.slice(0, await countDone(options)).map(async ([contract, address]) => {
    const code = await chain.request<string>('eth_getCode', [address, 'latest'])
    return isCodeOf(contract, code) ? undefined : address
  })
  return (await Promise.all(checks)).find((address) => address !== undefined)
}

/**
 * Deploys the two registries and authorizes the onboarding node with the operator's first three
 * transactions, all sent together. Keeps what already exists, so the next start completes an
 * interrupted one.
 * @throws TestbedError `deployment_failed`
 */
export async function deployContracts(options: DeployOptions): Promise<void> {
  const { operator } = options
  const done = await countDone(options)
  const missing = (await createDeployment(options))
    .map((each, nonce) => ({ ...each, nonce, signer: operator }))
    .slice(done)
  await sendTransactions(options, missing)
}

/** A transaction with the nonce that its account has by then. */
export interface PlannedTransaction {
  readonly what: string
  readonly signer: Signer
  readonly nonce: number
  /** Absent: it creates a contract. */
  readonly to?: string
  readonly data: string | Uint8Array
}

/**
 * Sends transactions together, in this order, and waits until all are mined.
 * @throws TestbedError `deployment_failed`
 */
export async function sendTransactions(
  {
    chain,
    chainId,
    send = (raws) => Promise.all(raws.map(chain.sendRawTransaction)),
  }: Pick<DeployOptions, 'chain' | 'chainId' | 'send'>,
  planned: readonly PlannedTransaction[],
): Promise<void> {
  const { signTransaction } = await import('#core/ethereum/transaction.ts')
  const raws = planned.map(({ signer, nonce, to, data }) => {
    const unsigned = {
      from: signer.address,
      ...(to === undefined ? {} : { to }),
      data: bytesToHex(data),
      nonce: toQuantity(nonce),
      chainId: toQuantity(chainId),
      gasLimit: toQuantity(to === undefined ? creationGasLimit : callGasLimit),
      gasPrice: '0x0',
      value: '0x0',
    }
    return signTransaction(unsigned, signer.privateKey).raw
  })
  const hashes = await send(raws)
  await Promise.all(
    planned.map(async ({ what }, index) => {
      checkReceipt(what, await waitForReceipt(chain, String(hashes[index])))
    }),
  )
}

function checkReceipt(what: string, receipt: TransactionReceipt | null): void {
  if (receipt?.status === '0x1') return
  throw deploymentFailed(what, receipt === null, receipt?.revertReason)
}
