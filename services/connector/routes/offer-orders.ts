import { z } from 'zod'
import { zCredentialOffer } from '#core/oid4vci/credential-offer.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { longestLifetimeSeconds, zQrLifetime } from '#kit/defaults.ts'
import { defineRoute, type Reply } from '#kit/define-route.ts'
import type { Dependencies } from '../dependencies.ts'
import { notFound } from '../errors.ts'
import { createOffer, createOfferLink, createOfferWire } from '../operations/create-offer.ts'

const zTxCode = z
  .object({
    length: z.int().min(1).max(64).optional().describe('Default: 6, or the length of value'),
    input_mode: z.enum(['numeric', 'text']).default('numeric'),
    description: z.string().max(300).optional(),
    value: z.string().min(1).max(64).optional().describe('The PIN; default: random'),
  })
  .refine(
    ({ value, length }) => value === undefined || length === undefined || value.length === length,
    {
      message: 'the length of value does not match',
      path: ['value'],
    },
  )
  .refine(
    ({ value, input_mode }) =>
      value === undefined || input_mode !== 'numeric' || /^\d+$/.test(value),
    {
      message: 'value is not numeric',
      path: ['value'],
    },
  )

/**
 * Creates an offer for a subject and returns its code. A subject has one offer: a new request
 * replaces an unredeemed offer.
 *
 * @assumption A-39
 */
export const postPreauthCode = defineRoute<Dependencies>()({
  method: 'post',
  path: '/preauth-code',
  summary: 'Create a credential offer',
  tags: ['issuer'],
  auth: 'apiKey',
  request: {
    body: z.object({
      vc_names: z.array(z.string().min(1)).min(1).describe('Credential type ids'),
      subject_id: z.string().min(1).max(256).describe('Unique per issuance'),
      expires_in: zQrLifetime.optional().describe('Seconds'),
      tx_code: zTxCode.optional().describe('Requires a PIN'),
      deferred_seconds: z
        .int()
        .min(0)
        .max(longestLifetimeSeconds)
        .optional()
        .describe('Time between the request of the wallet and the availability of the credential'),
      delivery: z
        .enum(['value', 'reference'])
        .optional()
        .describe('Whether offer_uri contains the offer or its address; default: as configured'),
    }),
  },
  responses: {
    200: {
      description: 'The code, and the PIN if one is required',
      body: z.object({
        preauth_code: z.string(),
        expires_in: z.int(),
        offer_uri: z.string().describe('The link, as GET /credential-offer returns it'),
        pin: z.string().optional(),
      }),
    },
  },
  errors: ['invalid_request', 'unsupported_credential_type', 'subject_id_in_use'],
  async handle({ body }, dependencies) {
    const { length, input_mode, description, value } = body.tx_code ?? {}
    const { preauthCode, expiresIn, offerUri, pin } = await createOffer(
      {
        vcNames: body.vc_names,
        subjectId: body.subject_id,
        expiresIn: body.expires_in,
        deferredSeconds: body.deferred_seconds,
        delivery: body.delivery,
        ...(input_mode ? { txCode: { length, inputMode: input_mode, description, value } } : {}),
      },
      dependencies,
    )
    return {
      status: 200,
      body: {
        preauth_code: preauthCode,
        expires_in: expiresIn,
        offer_uri: offerUri,
        ...(pin === undefined ? {} : { pin }),
      },
    }
  },
})

/**
 * Returns an offer in the format that the issuer requests.
 *
 * @assumption A-39
 */
export const getCredentialOffer = defineRoute<Dependencies>()({
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
        .describe('Whether the link contains the offer or its address; default: as configured'),
    }),
  },
  responses: {
    200: {
      description: 'The QR code of the link, the offer, or the link, according to response_mode',
      contentType: ['image/png', 'application/json', 'text/plain'],
      body: zCredentialOffer,
    },
    302: { description: 'Redirect to the link' },
  },
  errors: ['not_found'],
  async handle({ query }, { issuances, config }): Promise<Reply> {
    const issuance = await issuances.findByCode(query.preauth_code)
    if (!issuance) throw notFound('No offer has this code.')
    const link = createOfferLink(issuance, query.preauth_code, config, query.delivery)
    switch (query.response_mode) {
      case 'qr':
        return { status: 200, body: createQrPng(link), contentType: 'image/png' }
      case 'content':
        return { status: 200, body: createOfferWire(issuance, query.preauth_code, config) }
      case 'deep-link':
        return { status: 200, body: link, contentType: 'text/plain' }
      case 'redirect':
        return { status: 302, headers: { location: link } }
    }
  },
})
