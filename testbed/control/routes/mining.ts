import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { ControlDependencies } from '../dependencies.ts'
import { findEnvironment, requireOwnChain } from '../find-environment.ts'

const zEnvironment = z.object({ env: z.string() })
const zMode = z.object({ mode: z.enum(['auto', 'manual']) })

export const setMining = defineRoute<ControlDependencies>()({
  method: 'put',
  path: '/control/:env/mining',
  summary: 'Mine transactions as they come, or leave them pending',
  auth: 'control',
  request: { params: zEnvironment, body: zMode },
  responses: { 200: { description: 'The mode that holds now', body: zMode } },
  errors: ['invalid_request', 'unknown_environment', 'foreign_chain'],
  async handle({ params, body }, dependencies) {
    await requireOwnChain(findEnvironment(dependencies, params.env)).setMining(body.mode)
    return { status: 200, body }
  },
})

export const mineBlock = defineRoute<ControlDependencies>()({
  method: 'post',
  path: '/control/:env/mining',
  summary: 'Mine a block with what is pending',
  auth: 'control',
  request: { params: zEnvironment },
  responses: {
    200: {
      description: 'The block',
      body: z.object({
        number: z.int(),
        time: z.int().describe('Unix seconds'),
        hash: z.string(),
        transactions: z.array(z.string()),
      }),
    },
  },
  errors: ['unknown_environment', 'foreign_chain'],
  async handle({ params }, dependencies) {
    const block = await requireOwnChain(findEnvironment(dependencies, params.env)).mine()
    return { status: 200, body: block }
  },
})
