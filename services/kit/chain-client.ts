import { maskSecrets } from '#core/json/mask-secrets.ts'
import { parseJson } from '#core/json/read-json.ts'
import { createHttpClient, refuseUnreachable } from './create-http-client.ts'
import { chainUnavailable } from './errors.ts'
import { currentRequest } from './request-context.ts'
import type { FaultName, LocalChain, Runtime } from './runtime.ts'

/** An error object in the chain node's JSON-RPC response (JSON-RPC 2.0, section 5.1). */
export class ChainRpcError extends Error {
  override readonly name = 'ChainRpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }

  /** ABI-encoded revert data, if the node sent it. */
  get revertData(): string | undefined {
    const { data } = this
    if (typeof data === 'string' && data.startsWith('0x')) return data
    const inner = (data as { data?: unknown } | null | undefined)?.data
    return typeof inner === 'string' && inner.startsWith('0x') ? inner : undefined
  }
}

export interface TransactionReceipt {
  readonly transactionHash: string
  readonly transactionIndex: string
  readonly blockHash: string
  readonly blockNumber: string
  readonly from: string
  readonly to: string | null
  readonly contractAddress: string | null
  readonly cumulativeGasUsed: string
  readonly gasUsed: string
  readonly status: string
  readonly revertReason?: string
  readonly logs: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
    readonly blockNumber: string
    readonly logIndex: string
  }[]
}

interface CallRequest {
  readonly to: string
  readonly data: string
  readonly from?: string
}

export interface ChainClient {
  /**
   * Calls a JSON-RPC method of the node.
   * @throws ChainRpcError if the node rejects the call
   * @throws TestbedError `chain_unavailable` (500, as in the profile) if the node does not respond
   */
  request<Result = unknown>(method: string, params?: readonly unknown[]): Promise<Result>
  /** `eth_call` at the latest block: returns the ABI-encoded result. */
  call(request: CallRequest): Promise<string>
  getTransactionReceipt(hash: string): Promise<TransactionReceipt | null>
  /** Nonce of the next transaction of `address`, including pending ones. */
  getPendingNonce(address: string): Promise<number>
  /** Hash of the accepted transaction. */
  sendRawTransaction(raw: string): Promise<string>
}

export interface ChainClientOptions {
  /** The calling service. */
  readonly caller: string
  readonly rpcUrl: string
  /** Default: 10000. */
  readonly timeoutMilliseconds?: number
}

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

interface RpcResult {
  readonly result: unknown
  /** Size of the node's response; in a batch, its share of it. */
  readonly bytes: number
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
  readonly resolve: (result: RpcResult) => void
  readonly reject: (error: unknown) => void
}

/** Few nodes take more than a hundred calls in a batch, and the time limit is for all of them. */
const largestBatch = 10

const faults: readonly FaultName[] = ['chain-down']

interface Posted {
  readonly json: object
  /** Of the response, in bytes. */
  readonly size: number
}

/** Posts a message to the node; `methods` names its calls in an error. */
type Post = (message: unknown, methods: string) => Promise<Posted>

/** Over HTTP, or directly to a node in this process. */
function createPost(runtime: Runtime, options: ChainClientOptions): Post {
  const { caller, rpcUrl, timeoutMilliseconds = 10_000 } = options
  const client = createHttpClient(runtime, {
    caller,
    dependency: 'chain node',
    baseUrl: rpcUrl,
    faults,
    timeoutMilliseconds,
    limit: 16 * 1024 * 1024,
  })
  const local = runtime.localChain?.rpcUrl === rpcUrl ? runtime.localChain : undefined

  const askLocal = async ({ answer }: LocalChain, message: unknown) => {
    refuseUnreachable(runtime, faults)
    const text = (await answer(message)) ?? ''
    return { json: parseJson(text), size: text.length, status: 200 }
  }
  const askRemote = async (message: unknown) => {
    const { json, bytes, status } = await client.request('', { json: message })
    return { json, size: bytes.byteLength, status }
  }

  return async (message, methods) => {
    const asked = local === undefined ? askRemote(message) : askLocal(local, message)
    const { json, size, status } = await asked.catch((cause) => {
      throw chainUnavailable(`${methods}: no response`, cause)
    })
    // A node that is starting answers a batch with one object.
    if (status === 503) throw chainUnavailable(`${methods}: HTTP 503`)
    if (typeof json === 'object' && json !== null) return { json, size }
    throw chainUnavailable(`${methods}: HTTP ${status} without JSON`)
  }
}

type Send = (method: string, params: readonly unknown[]) => Promise<RpcResult>

const messageOf = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, method, params })

function settle({ method, resolve, reject }: Call, body: RpcAnswer, bytes: number): void {
  const { error, result } = body
  if (!error) resolve({ result, bytes })
  // EIP-1474: a problem of the node, such as a full disk.
  else if (error.code === -32002) reject(chainUnavailable(`${method}: ${error.message}`))
  else reject(new ChainRpcError(error.code, error.message, error.data))
}

/** Sends calls that one request makes in the same turn together, in their order. */
function createBatches(post: Post): Send {
  let lastId = 0
  let takesBatches = true
  let next: { readonly context: unknown; readonly calls: Call[] } | undefined

  const postOne = async (call: Call): Promise<void> => {
    const { json, size } = await post(messageOf(call), call.method)
    settle(call, json, size)
  }

  const postTogether = async (calls: readonly Call[]): Promise<void> => {
    const methods = calls.map(({ method }) => method).join(', ')
    const { json, size } = await post(calls.map(messageOf), methods)
    // JSON-RPC 2.0, section 6: the answers may be in any order.
    const answers = new Map(Array.isArray(json) ? json.map((answer) => [answer?.id, answer]) : [])
    if (calls.every(({ id }) => answers.has(id))) {
      for (const call of calls) settle(call, answers.get(call.id), size / calls.length)
    } else {
      takesBatches = false
      for (const call of calls) postOne(call).catch(call.reject)
    }
  }

  return (method, params) =>
    new Promise((resolve, reject) => {
      const call: Call = { id: ++lastId, method, params, resolve, reject }
      const context = currentRequest()
      const open = takesBatches ? next : undefined
      if (open !== undefined && open.context === context && open.calls.length < largestBatch) {
        open.calls.push(call)
        return
      }
      const batch = { context, calls: [call] }
      next = batch
      queueMicrotask(() => {
        if (next === batch) next = undefined
        const { calls } = batch
        const sent = calls.length === 1 ? postOne(call) : postTogether(calls)
        sent.catch((error) => {
          for (const each of calls) each.reject(error)
        })
      })
    })
}

/** Records each call with its answer for the diagrams, if anything records. */
function recordCalls({ traces, clock }: Runtime, caller: string, send: Send): Send {
  return async (method, params) => {
    if (!traces.enabled || currentRequest()?.unrecorded) return send(method, params)
    const at = clock.milliseconds()
    const began = performance.now()
    const record = (status: number, responseBody: unknown, responseBytes = 0) => {
      const durationMilliseconds = performance.now() - began
      const context = currentRequest()
      const describe = () => ({
        at,
        durationMilliseconds,
        ...context,
        from: caller,
        to: 'chain',
        kind: 'chain' as const,
        method: 'POST',
        url: method,
        status,
        requestBody: maskSecrets(params),
        responseBody: maskSecrets(responseBody),
      })
      traces.record(describe, JSON.stringify(params).length + responseBytes)
    }
    try {
      const answer = await send(method, params)
      record(200, answer.result, answer.bytes)
      return answer
    } catch (error) {
      if (error instanceof ChainRpcError) {
        record(200, { error: { code: error.code, message: error.message } })
      } else record(503, undefined)
      throw error
    }
  }
}

/**
 * The only access to the chain node: Ethereum JSON-RPC over HTTP, with any EVM chain, or directly
 * to a node in this process.
 */
export function createChainClient(runtime: Runtime, options: ChainClientOptions): ChainClient {
  const send = recordCalls(runtime, options.caller, createBatches(createPost(runtime, options)))
  const request = async <Result>(method: string, params: readonly unknown[] = []) =>
    (await send(method, params)).result as Result

  return {
    request,
    call: ({ to, data, from }) =>
      request<string>('eth_call', [
        { to, data, ...(from === undefined ? {} : { from }) },
        'latest',
      ]),
    getTransactionReceipt: (hash) => request('eth_getTransactionReceipt', [hash]),
    getPendingNonce: async (address) =>
      Number(await request<string>('eth_getTransactionCount', [address, 'pending'])),
    sendRawTransaction: (raw) => request<string>('eth_sendRawTransaction', [raw]),
  }
}
