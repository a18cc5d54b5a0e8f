import { z } from 'zod'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { createNames, namesOfWallets } from '../names.ts'
import { explainPage } from './page.ts'

const showExplain = definePage({
  path: '/explain',
  room: 'explain',
  summary: 'Explain a message rule by rule',
  async render({ frame, running }, { environments, wallets, ownDids }) {
    const { context, environment } = running
    const holders = await namesOfWallets(wallets, environment)
    const names = createNames(frame.language, context, holders, ownDids.names(environment))
    return explainPage(frame, [...environments.keys()], names)
  },
})

const zText = z.string().max(4096).optional()

/** A time in UTC, with `Z` or, as browsers send it, without a zone. Converted to Unix seconds. */
const zTime = z.iso
  .datetime({ local: true })
  .transform((text) => Date.parse(text.endsWith('Z') ? text : `${text}Z`) / 1000)
  .refine(Number.isFinite, 'must be a valid time')

const zPasted = z.strictObject({
  text: z.string().max(2_000_000).optional(),
  image: z.string().max(8_000_000).optional(),
  environment: z.enum(['pre', 'pro']).optional(),
  type: z.string().max(200).optional(),
  holder: zText,
  audience: zText,
  nonce: zText,
  query_id: zText,
  credential_issuer: zText,
  at: zTime.optional(),
  fetch: z.boolean().default(false),
})

const explainMessage = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/explanations',
  summary: 'The verdict of each rule of a message',
  auth: 'control',
  documented: false,
  request: { body: zPasted, limit: 10_000_000 },
  responses: { 200: { description: 'The explanation', body: z.unknown() } },
  errors: ['invalid_request', 'no_message'],
  async handle({ body }, { environments, clock }) {
    // Rules and image reader are loaded with the first message.
    const { explainPasted, readPasted } = await import('./explain-message.ts')
    const message = readPasted(body)
    const now = body.at ?? clock.seconds()
    const explanation = await explainPasted(message, environments.values(), {
      now,
      environment: body.environment,
      acceptedType: body.type,
      holderDid: body.holder,
      audience: body.audience,
      nonce: body.nonce,
      queryId: body.query_id,
      credentialIssuer: body.credential_issuer,
      fetchReferences: body.fetch,
    })
    // A code from an image is not shown to the person otherwise.
    const read = body.image === undefined ? {} : { read: message }
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { evaluatedAt: now, ...read, explanation },
    }
  },
})

export const explainRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showExplain, explainMessage]
