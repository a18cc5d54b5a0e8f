import { z } from 'zod'
import { longestLifetimeSeconds, zQrLifetime } from '#kit/defaults.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import { createOffer } from '../operations/create-offer.ts'

const zTxCode = z
  .object({
    length: z.int().min(1).max(64).optional().describe('Default: 6, or the length of value'),
    input_mode: z.enum(['numeric', 'text']).default('numeric'),
    description: z.string().max(300).optional(),
    value: z.string().min(1).max(64).optional().describe('The PIN; a random one by default'),
  })
  .refine(
    ({ value, length }) => value === undefined || length === undefined || value.length === length,
    {
      message: 'value has another length',
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
 * Makes an offer for a subject and gives the code it stands under. A subject has one offer: asking
 * again replaces one that nobody has redeemed.
 *
 * @assumption A-39
 */
export const postPreauthCode = defineRoute<ConnectorDependencies>()({
  method: 'post',
  path: '/preauth-code',
  summary: 'Makes a credential offer',
  tags: ['issuer'],
  auth: 'apiKey',
  request: {
    body: z.object({
      vc_names: z.array(z.string().min(1)).min(1).describe('Credential type ids'),
      subject_id: z.string().min(1).max(256).describe('Unique per issuance'),
      expires_in: zQrLifetime.optional().describe('Seconds'),
      tx_code: zTxCode.optional().describe('Asks for a PIN'),
      deferred_seconds: z
        .int()
        .min(0)
        .max(longestLifetimeSeconds)
        .optional()
        .describe('The credential is ready this long after the wallet asked for it'),
      delivery: z
        .enum(['value', 'reference'])
        .optional()
        .describe('Whether offer_uri carries the offer or its address; default by configuration'),
    }),
  },
  responses: {
    200: {
      description: 'The code, and the PIN where one is asked for',
      body: z.object({
        preauth_code: z.string(),
        expires_in: z.int(),
        offer_uri: z.string().describe('The link, as GET /credential-offer gives it'),
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
      headers: { 'cache-control': 'no-store' },
    }
  },
})
