import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'

/**
 * A status list credential, a JWT signed as the credentials are.
 *
 * @assumption A-23
 */
export const getStatusList = defineRoute<IssuerDependencies>()({
  method: 'get',
  path: '/credentials/status/:id',
  summary: 'Status list credential',
  auth: 'none',
  request: { params: z.object({ id: z.string().describe('Number of the list, from 1') }) },
  responses: { 200: { description: 'The list as a JWT', contentType: 'application/vc+jwt' } },
  errors: ['not_found'],
  async handle({ params }, { statusLists }) {
    const isNumber = /^[1-9]\d{0,8}$/.test(params.id)
    const list = isNumber ? await statusLists.read(Number(params.id)) : undefined
    if (list === undefined) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'There is no such status list',
      })
    }
    return {
      status: 200,
      body: list,
      contentType: 'application/vc+jwt',
      headers: { 'cache-control': 'no-cache' },
    }
  },
})
