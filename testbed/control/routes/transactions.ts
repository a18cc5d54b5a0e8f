import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { findEnvironment } from '../find-environment.ts'

export const readTransaction = defineRoute<ControlDependencies>()({
  method: 'get',
  path: '/control/:env/transactions/:hash',
  summary: 'What a transaction did: receipt, events by name, and why it reverted',
  auth: 'control',
  request: {
    params: z.object({ env: z.string(), hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }),
  },
  responses: {
    200: {
      description: 'The transaction; a pending one has the receipt null',
      body: z.object({
        hash: z.string(),
        receipt: z.unknown(),
        events: z.array(z.unknown()),
        revertReason: z.unknown().optional(),
      }),
    },
  },
  errors: ['invalid_request', 'unknown_environment', 'unknown_transaction'],
  async handle({ params: { env, hash } }, dependencies) {
    const { chain, context } = findEnvironment(dependencies, env)
    const receipt = await chain.getTransactionReceipt(hash)
    if (receipt !== null) {
      const { decodeReceipt } = await import('../decode-receipt.ts')
      return { status: 200, body: { hash, receipt, ...decodeReceipt(receipt, context.chain) } }
    }
    if ((await chain.request('eth_getTransactionByHash', [hash])) === null) {
      throw new TestbedError({
        code: 'unknown_transaction',
        status: 404,
        message: 'The chain does not know a transaction with this hash.',
      })
    }
    return { status: 200, body: { hash, receipt, events: [] } }
  },
})
