import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import {
  type CredentialType,
  createCredentialSchema,
} from '#core/lear-credential/credential-type.ts'
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
  crossOrigin: true,
  request: { params: z.object({ type: z.string().describe('Id of the credential type') }) },
  responses: {
    200: { description: 'The schema of the vc claim', contentType: 'application/schema+json' },
  },
  errors: ['not_found'],
  handle({ params: { type } }, { config }) {
    const configured = config.credentialTypes.find(({ vcType }) => vcType === type)
    if (!configured) {
      throw new TestbedError({
        code: 'not_found',
        status: 404,
        message: 'No credential of this type is issued here.',
      })
    }
    return {
      status: 200,
      body: createSchema(configured, credentialSchemaUrl(type, config)),
      contentType: 'application/schema+json',
      headers: { 'cache-control': 'public, max-age=3600' },
    }
  },
})

/** The schema that the type is configured with, under its address; else that of its chain. */
function createSchema({ vcType: type, inheritedTypes, schema }: CredentialType, url: string) {
  if (schema === undefined) return createCredentialSchema({ url, type, inheritedTypes })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: url, ...schema }
}
