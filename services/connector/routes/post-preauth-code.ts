import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { defineRoute } from '#kit/define-route.ts'
import { randomToken } from '#kit/random-token.ts'
import { createPin } from '../adapters/create-pin.ts'
import { digestOf } from '../adapters/issuance-store.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'

const longestOfferSeconds = 31 * 86_400
const defaultPinLength = 6

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
      expires_in: z.int().positive().max(longestOfferSeconds).optional().describe('Seconds'),
      tx_code: zTxCode.optional().describe('Asks for a PIN'),
      deferred_seconds: z
        .int()
        .min(0)
        .max(longestOfferSeconds)
        .optional()
        .describe('The credential is ready this long after the wallet asked for it'),
    }),
  },
  responses: {
    200: {
      description: 'The code, and the PIN where one is asked for',
      body: z.object({
        preauth_code: z.string(),
        expires_in: z.int(),
        pin: z.string().optional(),
      }),
    },
  },
  errors: ['invalid_request', 'unsupported_credential_type', 'subject_id_in_use'],
  async handle({ body }, { config, runtime, issuances }) {
    const unknown = body.vc_names.filter(
      (name) => !config.credentialTypes.some(({ id }) => id === name),
    )
    if (unknown.length > 0) {
      throw new TestbedError({
        code: 'unsupported_credential_type',
        status: 400,
        message: `This connector does not issue ${unknown.join(', ')}.`,
      })
    }
    const preauthCode = randomToken()
    const expiresIn = body.expires_in ?? config.offerLifetimeSeconds
    const txCode = body.tx_code && readTxCode(body.tx_code)
    const accepted = await issuances.offer({
      id: randomToken(16),
      subject_id: body.subject_id,
      preauth_code: preauthCode,
      vc_names: JSON.stringify(body.vc_names),
      tx_code: txCode ? JSON.stringify(txCode.shown) : null,
      pin_digest: txCode ? digestOf(txCode.pin) : null,
      deferred_seconds: body.deferred_seconds ?? null,
      offer_expires_at: runtime.clock.seconds() + expiresIn,
    })
    if (!accepted) {
      throw new TestbedError({
        code: 'subject_id_in_use',
        status: 409,
        message: 'The offer of this subject_id has been redeemed. Use another subject_id.',
      })
    }
    return {
      status: 200,
      body: {
        preauth_code: preauthCode,
        expires_in: expiresIn,
        ...(txCode ? { pin: txCode.pin } : {}),
      },
      headers: { 'cache-control': 'no-store' },
    }
  },
})

function readTxCode({ length, input_mode, description, value }: z.output<typeof zTxCode>) {
  const pin = value ?? createPin(input_mode, length ?? defaultPinLength)
  const shown = {
    length: pin.length,
    inputMode: input_mode,
    description:
      description ??
      `Enter the ${pin.length} ${input_mode === 'numeric' ? 'digits' : 'characters'} that you were given.`,
  }
  return { pin, shown }
}
