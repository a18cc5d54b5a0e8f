import { keccak_256 } from '@noble/hashes/sha3.js'
import { didRegistryAbi } from '#core/contracts/did-registry-abi.ts'
import { trustedIssuersRegistryAbi } from '#core/contracts/trusted-issuers-registry-abi.ts'
import type { Ledger } from './create-ledger.ts'
import { blockGasLimit } from './create-simulated-network.ts'
import { decodeTransaction } from './create-transaction-pool.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'

export interface PublicAccessOptions {
  /** The contracts that accept transactions, and whose calls get the gas of a block. */
  readonly registries: readonly string[]
  /** Accepts every transaction, and runs every call with the gas of a block. */
  readonly openRpc: boolean
}

/** What clients may execute on the node. */
export interface PublicAccess {
  /** @throws RpcError if the transaction is not for a registry, or the node rejected it */
  sendRawTransaction(raw: string): Promise<string>
  /** `eth_call` and `eth_estimateGas`. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** A read call whose answer may be large. */
  readMuch(method: string, params: readonly unknown[]): Promise<unknown>
}

/** For code that the caller supplies. */
const foreignGas = 100_000n
/** Enough for most calls of the registries, which run without a queue. */
const quickGas = 3_000_000n
const largestQueue = 32

const readingSelectors = new Set(
  [...didRegistryAbi, ...trustedIssuersRegistryAbi].flatMap((item) => {
    if (item.type !== 'function' || item.stateMutability !== 'view') return []
    const signature = `${item.name}(${item.inputs.map(({ type }) => type).join(',')})`
    return Buffer.from(keccak_256(Buffer.from(signature)).slice(0, 4)).toString('hex')
  }),
)

/** Whether call data is for a read-only function of the registries. */
const isReading = (data: unknown) =>
  typeof data === 'string' && readingSelectors.has(data.slice(2, 10).toLowerCase())

/** Runs one job at a time, so that other requests are served in between. */
function createLane() {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting === largestQueue) {
      throw new RpcError(
        rpcCodes.limitExceeded,
        `The node has ${largestQueue} large calls waiting. Try again later.`,
      )
    }
    waiting += 1
    const result = last.then(work).finally(() => {
      waiting -= 1
    })
    last = result.catch(() => {})
    return result
  }
}

/** The gas that a call requests. */
function askedGas(gas: unknown): bigint {
  if (gas === undefined || gas === null) return blockGasLimit
  if (typeof gas === 'string' && /^0x[0-9a-f]{1,16}$/i.test(gas)) return BigInt(gas)
  if (Number.isSafeInteger(gas) && (gas as number) >= 0) return BigInt(gas as number)
  throw new RpcError(rpcCodes.invalidParams, 'gas must be a quantity of at most 8 bytes.')
}

/** Whether a call failed with a reason from a contract. More gas would not change that. */
function isFinal(thrown: unknown): boolean {
  const { code, data } = (thrown ?? {}) as Partial<RpcError>
  return code === rpcCodes.invalidParams || (typeof data === 'string' && data.length > 2)
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)

/**
 * Limits what one client can make the node do. The simulated network records every step that it
 * executes, up to 1 kB for each unit of gas, and this cannot be switched off. So code from the
 * caller gets little gas. The code of the registries costs much more gas per step; a call that
 * fails with little gas runs again, in the queue, with more.
 *
 * @assumption A-48
 */
export function createPublicAccess(
  ledger: Pick<Ledger, 'read' | 'sendRawTransaction'>,
  { registries, openRpc }: PublicAccessOptions,
): PublicAccess {
  const own = new Set(registries.map((address) => address.toLowerCase()))
  const isOwn = (to: unknown) => typeof to === 'string' && own.has(to.toLowerCase())
  const runInTurn = createLane()

  return {
    sendRawTransaction(raw) {
      if (openRpc) return ledger.sendRawTransaction(raw)
      const { to, data } = decodeTransaction(raw).raw
      if (!isOwn(to)) {
        throw new RpcError(
          rpcCodes.transactionRefused,
          `This node only accepts transactions to its registries (${registries.join(', ')}). To send other transactions, start the testbed with --open-rpc.`,
        )
      }
      if (isReading(data)) {
        const text = 'This function of the registry is read-only. Use eth_call.'
        throw new RpcError(rpcCodes.transactionRefused, text)
      }
      return ledger.sendRawTransaction(raw)
    },

    async call(method, [request, ...rest]) {
      if (typeof request !== 'object' || request === null) {
        throw new RpcError(rpcCodes.invalidParams, 'The first parameter must be the call object.')
      }
      const { gas, to } = request as Readonly<Record<string, unknown>>
      const runWith = (limit: bigint) =>
        ledger.read(method, [{ ...request, gas: `0x${limit.toString(16)}` }, ...rest])
      const asked = smaller(askedGas(gas), blockGasLimit)
      // The second of the further parameters overrides code and state.
      if (!isOwn(to) || (rest[1] ?? undefined) !== undefined) {
        return runInTurn(() => runWith(openRpc ? asked : smaller(asked, foreignGas)))
      }
      if (asked <= quickGas) return runWith(asked)
      return runWith(quickGas).catch((thrown) => {
        if (isFinal(thrown)) throw thrown
        return runInTurn(() => runWith(asked))
      })
    },

    readMuch: (method, params) => runInTurn(() => ledger.read(method, params)),
  }
}
