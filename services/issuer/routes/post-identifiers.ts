import { z } from 'zod'
import { defineRoute } from '#kit/define-route.ts'
import type { IssuerDependencies } from '../dependencies.ts'
import { exampleSubjectId } from '../domain/examples.ts'

/**
 * The credential types that may be issued, the same for every subject.
 *
 * @row 1.endpoints/credential-issuer.6
 * @assumption A-43
 */
export const postIdentifiers = defineRoute<IssuerDependencies, unknown>()({
  method: 'post',
  path: '/issuance/identifiers',
  summary: 'The credential types that a subject may be issued',
  auth: 'bearer',
  request: {
    body: z.object({ subject_id: z.string().min(1).describe('The subject') }),
    example: { subject_id: exampleSubjectId },
  },
  responses: {
    200: {
      description: 'The configured types',
      body: z.object({ vc_types: z.array(z.string()) }),
      example: { vc_types: ['OrgPortalLearCredential'] },
    },
  },
  errors: ['invalid_token', 'invalid_request'],
  handle(_input, { config }) {
    return { status: 200, body: { vc_types: config.credentialTypes.map(({ vcType }) => vcType) } }
  },
})
