import { createIssuerMetadata, zIssuerMetadata } from '#core/oid4vci/issuer-metadata.ts'
import { defineRoute } from '#kit/define-route.ts'
import { credentialIssuerOf } from '../config.ts'
import type { ConnectorDependencies } from '../connector-dependencies.ts'
import { describeCredentialType } from '../domain/credential-types.ts'

/**
 * Issuer metadata (Document 1, Issuer metadata).
 *
 * @row 1.endpoints/endpoints-an-issuer-exposes-to-the-wallet.1 1.resources-and-their-fields/issuer-metadata.1..3
 * @row 1.resources-and-their-fields/supported-curves.4
 */
export const getIssuerMetadata = defineRoute<ConnectorDependencies>()({
  method: 'get',
  path: '/.well-known/openid-credential-issuer',
  summary: 'Issuer metadata',
  tags: ['wallet'],
  auth: 'none',
  crossOrigin: true,
  responses: { 200: { description: 'The metadata', body: zIssuerMetadata } },
  handle(_input, { config }) {
    const credentialIssuer = credentialIssuerOf(config)
    const body = createIssuerMetadata({
      credentialIssuer,
      tokenEndpoint: `${credentialIssuer}/token`,
      credentialEndpoint: `${credentialIssuer}/credential`,
      deferredCredentialEndpoint: `${credentialIssuer}/deferred_credential`,
      credentialsSupported: config.credentialTypes.map(describeCredentialType),
    })
    return { status: 200, body }
  },
})
