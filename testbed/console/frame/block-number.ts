import { z } from 'zod'
import { createHttpClient } from '#kit/create-http-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'

const zAnswer = z.object({ result: z.string().regex(/^0x[0-9a-f]+$/) })

/**
 * The number of the last block of an environment's chain; undefined if the chain does not answer.
 * The chain client of the services would record the question as an exchange.
 */
export async function readBlockNumber({
  context,
}: RunningEnvironment): Promise<number | undefined> {
  const chain = createHttpClient(context.runtime, {
    caller: 'console',
    dependency: 'chain',
    baseUrl: context.chain.rpcUrl,
    faults: ['chain-down'],
  })
  const question = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  const answer = await chain.postJson('', question).catch(() => undefined)
  const { data } = zAnswer.safeParse(answer?.json)
  return data && Number(data.result)
}
