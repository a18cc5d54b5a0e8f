import { type ExactNumber, isExactNumber } from '#core/json/exact-number.ts'
import type { Ledger } from './create-ledger.ts'
import type { PublicAccess } from './create-public-access.ts'
import { RpcError, rpcCodes } from './rpc-error.ts'

interface Receipt {
  readonly status: string
  readonly transactionHash: string
  readonly blockHash: string
}

interface CallTrace {
  readonly output?: string
}

const largestCache = 10_000

/**
 * Completes a receipt in the format of Besu: the receipt of a failed transaction has
 * `revertReason`, the ABI data of the revert as 0x-hex (`0x` without data).
 *
 * @assumption A-37 revertReason in receipts
 * @row 2.endpoints/tir.14
 */
function createRevertReason(ledger: Ledger) {
  const known = new Map<string, string>()
  return async function withRevertReason<R extends Receipt | null>(receipt: R): Promise<R> {
    if (receipt === null || receipt.status !== '0x0') return receipt
    const { transactionHash: hash, blockHash } = receipt
    // After a restored snapshot the same transaction may fail for a different reason.
    const key = `${blockHash}/${hash}`
    let revertReason = known.get(key)
    if (revertReason === undefined) {
      const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
      const trace = await ledger.read<CallTrace>('debug_traceTransaction', [hash, options])
      revertReason = trace.output ?? '0x'
      if (known.size >= largestCache) known.clear()
      known.set(key, revertReason)
    }
    return { ...receipt, revertReason }
  }
}

/**
 * Calls that the gateway passes to the node unchanged: those that read the public chain at little
 * cost (create-public-access.ts has the others). All other calls stay inside, above all the node's
 * own accounts and the `evm_*`, `hardhat_*` and `debug_*` calls.
 */
const forwardedMethods: ReadonlySet<string> = new Set([
  'eth_blobBaseFee',
  'eth_blockNumber',
  'eth_chainId',
  'eth_feeHistory',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getFilterChanges',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_syncing',
  'eth_uninstallFilter',
  'net_version',
  'web3_clientVersion',
])

type Call = (params: readonly unknown[]) => Promise<unknown>

const filterCreators = ['eth_newBlockFilter', 'eth_newFilter', 'eth_newPendingTransactionFilter']
const mostFilters = 500
/** Characters of JSON. */
const largestFilter = 16_384

/**
 * Creates filters, which the node keeps until a client removes them: a further one replaces the
 * oldest.
 */
function createFilters(ledger: Pick<Ledger, 'read'>) {
  const filters = new Set<unknown>()
  return async function createFilter(method: string, params: readonly unknown[]) {
    if (JSON.stringify(params).length > largestFilter) {
      throw new RpcError(rpcCodes.limitExceeded, 'The filter is larger than 16 KiB.')
    }
    const id = await ledger.read(method, params)
    filters.delete(id)
    filters.add(id)
    const [oldest] = filters
    if (filters.size > mostFilters) {
      filters.delete(oldest)
      await ledger.read('eth_uninstallFilter', [oldest])
    }
    return id
  }
}

const zero = async () => '0x0'
const largestBatch = 100
const largestBatchAnswer = 32 * 1024 * 1024

/**
 * Converts an error of the node to a JSON-RPC error object: keeps revert data, drops the node's
 * internals.
 */
function errorObject(thrown: unknown): { code: number; message: string; data?: string } {
  const { code, message, data } = (thrown ?? {}) as Partial<RpcError>
  if (typeof code !== 'number' || typeof message !== 'string') {
    return { code: rpcCodes.internalError, message: 'Internal error.' }
  }
  return { code, message, ...(typeof data === 'string' ? { data } : {}) }
}

const errorAnswer = (id: Id, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })

type Id = string | number | ExactNumber | null

function isId(value: unknown): value is Id {
  const isNumber = Number.isFinite(value) || isExactNumber(value)
  return value === null || typeof value === 'string' || isNumber
}

/**
 * Answers a JSON-RPC 2.0 message, single or batch, from the ledger. `undefined` if there is no
 * answer (only notifications).
 */
export function createRpcAnswerer(
  ledger: Ledger,
  access: PublicAccess,
): (message: unknown) => Promise<string | undefined> {
  const withRevertReason = createRevertReason(ledger)
  const special = new Map<string, Call>([
    // Zero gas price for all clients; the simulated network would suggest one gwei.
    ['eth_gasPrice', zero],
    ['eth_maxPriorityFeePerGas', zero],
    // web3.js asks this to find out whether a node is up; the simulated network lacks it.
    ['net_listening', async () => true],
    [
      'eth_getTransactionReceipt',
      async (params) =>
        withRevertReason(await ledger.read<Receipt | null>('eth_getTransactionReceipt', params)),
    ],
    [
      'eth_sendRawTransaction',
      async ([raw, ...rest]) => {
        if (typeof raw !== 'string' || rest.length > 0) {
          throw new RpcError(
            rpcCodes.invalidParams,
            'The only parameter must be the raw transaction.',
          )
        }
        return access.sendRawTransaction(raw)
      },
    ],
  ])

  for (const method of ['eth_call', 'eth_estimateGas']) {
    special.set(method, (params) => access.call(method, params))
  }
  for (const method of ['eth_getLogs', 'eth_getFilterLogs']) {
    special.set(method, (params) => access.readMuch(method, params))
  }
  const createFilter = createFilters(ledger)
  for (const method of filterCreators) {
    special.set(method, (params) => createFilter(method, params))
  }

  const call = (method: string, params: readonly unknown[]): Promise<unknown> => {
    const own = special.get(method)
    if (own !== undefined) return own(params)
    if (forwardedMethods.has(method)) return ledger.read(method, params)
    throw new RpcError(rpcCodes.methodNotFound, 'The method does not exist or is not available.')
  }

  const answerOne = async (message: unknown): Promise<string | undefined> => {
    const request = typeof message === 'object' && message !== null ? message : {}
    const { jsonrpc, method, params = [], id } = request as Record<string, unknown>
    const notification = !Object.hasOwn(request, 'id')
    const refuse = (code: number, text: string) => errorAnswer(isId(id) ? id : null, code, text)
    if (jsonrpc !== '2.0' || typeof method !== 'string' || !(notification || isId(id))) {
      return refuse(rpcCodes.invalidRequest, 'This is not a valid JSON-RPC 2.0 request.')
    }
    if (typeof params !== 'object' || params === null) {
      return refuse(rpcCodes.invalidRequest, 'The params must be an array.')
    }
    try {
      if (!Array.isArray(params)) {
        throw new RpcError(rpcCodes.invalidParams, 'Pass parameters by position, in an array.')
      }
      const result = await call(method, params)
      return notification ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result })
    } catch (thrown) {
      const error = errorObject(thrown)
      return notification ? undefined : JSON.stringify({ jsonrpc: '2.0', id, error })
    }
  }

  /**
   * In order, so that few answers are in memory; the transactions are sent together and share a
   * block.
   */
  const answerBatch = async (messages: readonly unknown[]): Promise<readonly string[]> => {
    const answers: Promise<string | undefined>[] = []
    let size = 0
    for (const message of messages) {
      const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown }
      if (size > largestBatchAnswer) {
        const text = 'The responses to this batch are too large. Send smaller batches.'
        answers.push(
          Promise.resolve(errorAnswer(isId(id) ? id : null, rpcCodes.limitExceeded, text)),
        )
        continue
      }
      const answer = answerOne(message)
      answers.push(answer)
      if (method !== 'eth_sendRawTransaction') size += (await answer)?.length ?? 0
    }
    return (await Promise.all(answers)).filter((one) => one !== undefined)
  }

  return async function answerRpc(message) {
    if (!Array.isArray(message)) return answerOne(message)
    if (message.length === 0 || message.length > largestBatch) {
      const text = `A batch must contain 1 to ${largestBatch} requests.`
      return errorAnswer(null, rpcCodes.invalidRequest, text)
    }
    const answers = await answerBatch(message)
    return answers.length === 0 ? undefined : `[${answers.join(',')}]`
  }
}
