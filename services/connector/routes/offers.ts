import { z } from 'zod'
import { zCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import { defineRoute } from '#kit/define-route.ts'
import { unseal } from '#kit/secrets.ts'
import type { ConnectorDependencies } from '../dependencies.ts'
import { notFound } from '../errors.ts'
import { createOfferWire } from '../operations/create-offer.ts'

/**
 * The offer of a link by reference. It can be read any number of times, even after its expiry: the
 * token endpoint reports the state of its code.
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
      throw notFound('This offer does not exist, or a newer one has replaced it.')
    }
    return {
      status: 200,
      body: createOfferWire(issuance, preauthCode, config),
      headers: { 'cache-control': 'no-store' },
    }
  },
})
