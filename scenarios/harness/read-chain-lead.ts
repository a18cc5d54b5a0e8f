import { z } from 'zod'
import type { ControlClient } from './control-client.ts'
import type { HttpClient } from './http-client.ts'

const zAnswer = z.object({ result: z.object({ timestamp: z.string() }) })

/**
 * By how many seconds the latest block of a chain is ahead of the testbed's clock; negative where it
 * is behind, as it usually is. The clock can be put back, the time of a chain can't.
 */
export async function readChainLead(
  rpcUrl: string,
  http: HttpClient,
  control: Pick<ControlClient, 'readClock'>,
): Promise<number> {
  const params = ['latest', false]
  const json = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params }
  const answer = await http.request(rpcUrl, { json })
  return Number(zAnswer.parse(answer.json).result.timestamp) - (await control.readClock())
}
