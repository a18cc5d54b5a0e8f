import { setTimeout as wait } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { z } from 'zod'
import { decodeRevert } from '#core/contracts/decode-abi.ts'
import type { createEventDecoder } from '#core/ethereum/abi.ts'
import { toHex } from '#core/ethereum/account.ts'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { endCheck, type Finding, inconclusive } from '../../kit/check.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { requireVerdict } from './findings.ts'

const zReceipt = z.looseObject({
  status: z.string(),
  transactionHash: z.string(),
  revertReason: z.string().optional(),
})

export type ChainReceipt = z.infer<typeof zReceipt>

/** The error of a reverted transaction by its name, or its data if the contract has other errors. */
export function describeRevert(data = ''): string {
  const { name, args } = decodeRevert(data) ?? { name: data }
  return args === undefined ? name : `${name}(${JSON.stringify(args)})`
}

/**
 * The receipt of a transaction at the chain node (the profile: eth_getTransactionReceipt at
 * `<chain_rpc_url>`); undefined while it is not mined.
 */
export async function readChainReceipt(
  http: HttpClient,
  rpcUrl: string,
  hash: string,
): Promise<ChainReceipt | undefined> {
  const result = await askChainNode(http, rpcUrl, 'eth_getTransactionReceipt', [hash])
  const receipt = zReceipt.safeParse(result)
  return receipt.success ? receipt.data : undefined
}

/** The `result` of a method of the chain node; ends the check if the node does not answer. */
export async function askChainNode(
  http: HttpClient,
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const json = { jsonrpc: '2.0', id: 1, method, params }
  const answer = requireVerdict(await http.request(rpcUrl, { json }))
  return requireJson(answer, `${method} at the chain node`).result
}

const shortestPause = 5
const longestPause = 1000
/** A third-party chain may have blocks of many seconds. */
const longestWait = 40_000
/** A chain that mines on demand has no interval between blocks, but its node may be slow. */
const shortestWait = 5000
/** A transaction that the chain has accepted is in one of the next blocks. */
const blocksToWait = 3
/** How many of the latest blocks show the time between two of them. */
const observedBlocks = 5

const zBlock = z.looseObject({ number: z.string(), timestamp: z.string() })

/**
 * Milliseconds in which a chain mines a transaction, from the shortest time between its latest
 * blocks: a chain without transactions may mine less often. Undefined if it does not return blocks.
 */
async function observeWait(http: HttpClient, rpcUrl: string): Promise<number | undefined> {
  const readBlock = async (tag: string) => {
    const json = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [tag, false] }
    const { result } = ((await http.request(rpcUrl, { json })).json ?? {}) as { result?: unknown }
    return zBlock.safeParse(result).data
  }
  const latest = await readBlock('latest')
  const times: number[] = []
  for (let below = 0; latest !== undefined && below < observedBlocks; below += 1) {
    const number = Number(latest.number) - below
    const block = number < 0 ? undefined : await readBlock(`0x${number.toString(16)}`)
    if (block === undefined) break
    times.push(Number(block.timestamp))
  }
  const intervals = times.slice(1).map((time, at) => (times[at] ?? time) - time)
  if (intervals.length === 0) return undefined
  const expected = blocksToWait * Math.min(...intervals) * 1000
  return Math.min(Math.max(expected, shortestWait), longestWait)
}

interface ReceiptWait {
  readonly http: HttpClient
  readonly rpcUrl: string
  readonly signal: AbortSignal
}

/**
 * Polls a receipt with growing pauses. Ends the check as inconclusive if none arrives within the
 * time of a few blocks, or within 40 seconds if the chain shows no blocks.
 */
export async function awaitChainReceipt(
  hash: string,
  { http, rpcUrl, signal }: ReceiptWait,
): Promise<ChainReceipt> {
  const began = performance.now()
  let limit: number | undefined
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const receipt = await readChainReceipt(http, rpcUrl, hash)
    if (receipt !== undefined) return receipt
    const waited = performance.now() - began
    if (limit === undefined && waited >= shortestWait) {
      limit = (await observeWait(http, rpcUrl)) ?? longestWait
    }
    if (limit !== undefined && waited >= limit) {
      const seconds = `${Math.round(limit / 1000)} seconds`
      const why = limit < longestWait ? `, the time of several of its blocks` : ''
      const hint = 'Is chain.rpcUrl the chain of this registry?'
      endCheck(
        inconclusive(
          `The chain returned no receipt of the transaction within ${seconds}${why}. ${hint}`,
        ),
      )
    }
    await wait(pause, undefined, { signal })
  }
}

/** The hash of a signed raw transaction, both as 0x-hex. */
export function hashOfTransaction(raw: string): string {
  return toHex(keccak_256(Buffer.from(raw.slice(2), 'hex')))
}

/** The hash under which events index a DID. */
export const didHashOf = (did: string): string => toHex(keccak_256(Buffer.from(did)))

const zLogs = z.array(z.looseObject({ topics: z.array(z.string()), data: z.string() })).catch([])

/**
 * Compares the logs of a receipt with the documented events. Inconclusive if none of them has the
 * signature of a documented event; undefined if they match.
 * @param what the write, to follow `the events of`
 */
export function findOtherEvents(
  what: string,
  logs: unknown,
  decode: ReturnType<typeof createEventDecoder>,
  events: readonly object[],
): Finding | undefined {
  const read = zLogs.parse(logs)
  const decoded = read.map(decode)
  if (read.length > 0 && decoded.every((event) => event === undefined)) {
    return inconclusive(
      `The events of ${what} have other signatures than those of the testbed; the profile has no complete list.`,
    )
  }
  expectEqual(`the events of ${what}`, decoded, events)
  return undefined
}
