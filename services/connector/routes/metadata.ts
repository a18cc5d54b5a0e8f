import { z } from 'zod'
import {
  type CredentialType,
  createCredentialSchema,
} from '#core/lear-credential/credential-type.ts'
import { createIssuerMetadata, zIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { defineRoute } from '#kit/define-route.ts'
import { credentialIssuerOf } from '../config.ts'
import type { Dependencies } from '../dependencies.ts'
import { credentialSchemaUrl, describeCredentialType } from '../domain/credential-types.ts'
import { notFound } from '../errors.ts'

/**
 * Issuer metadata (profile/connector, Issuer metadata).
 *
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1 1.resources-and-their-fields/issuer-metadata.1..3
 * @row 1.resources-and-their-fields/supported-curves.4
 */
export const getIssuerMetadata = defineRoute<Dependencies>()({
  method: 'get',
  path: '/.well-known/openid-credential-issuer',
  summary: 'Issuer metadata',
  tags: ['wallet'],
  auth: 'none',
  cacheable: true,
  crossOrigin: true,
  responses: { 200: { description: 'The metadata', body: zIssuerMetadata } },
  handle(_input, { config }) {
    const credentialIssuer = credentialIssuerOf(config)
    const body = createIssuerMetadata({
      credentialIssuer,
      tokenEndpoint: `${credentialIssuer}/token`,
      credentialEndpoint: `${credentialIssuer}/credential`,
      deferredCredentialEndpoint: `${credentialIssuer}/deferred_credential`,
      credentialsSupported: config.credentialTypes.map((type) =>
        describeCredentialType(type, config),
      ),
    })
    return { status: 200, body }
  },
})

/** The JSON Schema in the credentialSchema of a type's credentials. */
export const getCredentialSchema = defineRoute<Dependencies>()({
  method: 'get',
  path: '/schemas/:type',
  summary: 'JSON Schema (2020-12) of a credential type',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  request: { params: z.object({ type: z.string().describe('ID of the credential type') }) },
  responses: {
    200: { description: 'The schema of the vc claim', contentType: 'application/schema+json' },
  },
  errors: ['not_found'],
  handle({ params: { type } }, { config }) {
    const configured = config.credentialTypes.find(({ vcType }) => vcType === type)
    if (!configured) throw notFound('This connector does not issue credentials of this type.')
    return {
      status: 200,
      body: createSchema(configured, credentialSchemaUrl(type, config)),
      contentType: 'application/schema+json',
      headers: { 'cache-control': 'public, max-age=3600' },
    }
  },
})

/** The type's configured schema, with its address as $id; otherwise that of its chain. */
function createSchema({ vcType: type, inheritedTypes, schema }: CredentialType, url: string) {
  if (schema === undefined) return createCredentialSchema({ url, type, inheritedTypes })
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: url, ...schema }
}
