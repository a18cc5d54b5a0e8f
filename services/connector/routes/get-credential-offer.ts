import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { zCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import { createOffer, createOfferLink } from '../operations/create-offer-link.ts'

const headers = { 'cache-control': 'no-store' }

/**
 * An offer in the form that the issuer wants to hand on.
 *
 * @assumption A-39
 */
export const getCredentialOffer = defineRoute<ConnectorDependencies>()({
  method: 'get',
  path: '/credential-offer',
  summary: 'The offer of a code as QR, JSON, link or redirect',
  tags: ['issuer'],
  auth: 'apiKey',
  request: {
    query: z.object({
      preauth_code: z.string().min(1),
      response_mode: z.enum(['qr', 'content', 'deep-link', 'redirect']).default('qr'),
      delivery: z
        .enum(['value', 'reference'])
        .optional()
        .describe('Whether the link carries the offer or its address; default by configuration'),
    }),
  },
  responses: {
    200: {
      description: 'The QR code of the link, the offer, or the link, as response_mode asks',
      contentType: ['image/png', 'application/json', 'text/plain'],
      body: zCredentialOffer,
    },
    302: { description: 'Redirect to the link' },
  },
  errors: ['not_found'],
  async handle({ query }, { issuances, config }): Promise<Reply> {
    const issuance = await issuances.findByCode(query.preauth_code)
    if (!issuance) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'There is no offer under this code.',
      })
    }
    const link = createOfferLink(issuance, query.preauth_code, config, query.delivery)
    switch (query.response_mode) {
      case 'qr':
        return { status: 200, body: createQrPng(link), contentType: 'image/png', headers }
      case 'content':
        return { status: 200, body: createOffer(issuance, query.preauth_code, config), headers }
      case 'deep-link':
        return { status: 200, body: link, contentType: 'text/plain', headers }
      case 'redirect':
        return { status: 302, headers: { ...headers, location: link } }
    }
  },
})
