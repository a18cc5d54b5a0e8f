import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import { defineRoute } from '#kit/define-route.ts'
import { unseal } from '#kit/secrets.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import { createOffer } from '../operations/create-offer-link.ts'

/**
 * The offer behind a link by reference. It can be read any number of times, also after its time:
 * what has become of its code is the token endpoint's to say.
 */
export const getOffer = defineRoute<ConnectorDependencies>()({
  method: 'get',
  path: '/offers/:id',
  summary: 'Credential offer by reference',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: { params: z.object({ id: z.string().describe('Random id of the offer') }) },
  responses: { 200: { description: 'The offer', body: zCredentialOffer } },
  errors: ['not_found'],
  async handle({ params }, { issuances, config }) {
    const issuance = await issuances.findByReference(params.id)
    const preauthCode = issuance && unseal(issuance.sealed_code, params.id)
    if (!issuance || preauthCode === undefined) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'There is no such offer, or a newer one has replaced it.',
      })
    }
    return {
      status: 200,
      body: createOffer(issuance, preauthCode, config),
      headers: { 'cache-control': 'no-store' },
    }
  },
})
