import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../issuer-dependencies.ts'

/** @assumption A-43 */
export const postIdentifiers = defineRoute<IssuerDependencies, unknown>()({
  method: 'post',
  path: '/issuance/identifiers',
  summary: 'The credential types that a subject may be issued',
  auth: 'bearer',
  request: { body: z.object({ subject_id: z.string().min(1).describe('The subject') }) },
  responses: {
    200: { description: 'The configured types', body: z.object({ vc_types: z.array(z.string()) }) },
  },
  errors: ['invalid_request'],
  handle(_input, { config }) {
    return { status: 200, body: { vc_types: config.credentialTypes.map(({ vcType }) => vcType) } }
  },
})
