import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { createCredentialSchema } from '#core/lear-credential/create-credential-schema.ts'
import { defineRoute } from '#kit/define-route.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import { credentialSchemaUrl } from '../domain/credential-types.ts'

/** The JSON Schema that the credentials of a type name as their credentialSchema. */
export const getCredentialSchema = defineRoute<ConnectorDependencies>()({
  method: 'get',
  path: '/schemas/:type',
  summary: 'JSON Schema (2020-12) of a credential type',
  tags: ['wallet'],
  auth: 'none',
  request: { params: z.object({ type: z.string().describe('Id of the credential type') }) },
  responses: {
    200: { description: 'The schema of the vc claim', contentType: 'application/schema+json' },
  },
  errors: ['not_found'],
  handle({ params: { type } }, { config }) {
    if (!config.credentialTypes.some(({ id }) => id === type)) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'No credential of this type is issued here.',
      })
    }
    return {
      status: 200,
      body: createCredentialSchema({ url: credentialSchemaUrl(type, config), type }),
      contentType: 'application/schema+json',
      headers: { 'cache-control': 'public, max-age=3600' },
    }
  },
})
