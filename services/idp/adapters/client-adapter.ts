import type { Adapter } from 'oidc-provider'
import type { ClientStore } from './create-client-store.ts'

/** Members of a client's metadata that oidc-provider does not know itself. */
export const extraClientMetadata = ['accepted_authentication'] as const

/** The store of clients as oidc-provider reads it, for every request anew; it never writes. */
export function clientAdapter(clients: ClientStore): Adapter {
  const refuse = async () => {
    throw new TypeError('clients are changed in the admin panel alone')
  }
  return {
    async find(id) {
      const client = await clients.find(id)
      if (client === undefined) return undefined
      return {
        client_id: client.clientId,
        // Compared with the digest of what a request brings: see authenticateClients.
        client_secret: client.secretDigest,
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
        accepted_authentication: client.authentication,
      }
    },
    upsert: refuse,
    findByUserCode: refuse,
    findByUid: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  }
}
