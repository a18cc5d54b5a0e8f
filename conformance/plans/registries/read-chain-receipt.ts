import { z } from 'zod'
import type { HttpClient } from '#scenarios/harness/http-client.ts'
import { requireJson } from '../../kit/classify-answer.ts'
import { requireVerdict } from './require-verdict.ts'

const zReceipt = z.looseObject({
  status: z.string(),
  transactionHash: z.string(),
  revertReason: z.string().optional(),
})

export type ChainReceipt = z.infer<typeof zReceipt>

/**
 * The receipt of a transaction at the chain node (document 2: eth_getTransactionReceipt at
 * `<chain_rpc_url>`); undefined while it is not mined.
 */
export async function readChainReceipt(
  http: HttpClient,
  rpcUrl: string,
  hash: string,
): Promise<ChainReceipt | undefined> {
  const json = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [hash] }
  const answer = requireVerdict(await http.request(rpcUrl, { json }))
  const { result } = requireJson(answer, 'eth_getTransactionReceipt at the chain node')
  const receipt = zReceipt.safeParse(result)
  return receipt.success ? receipt.data : undefined
}
