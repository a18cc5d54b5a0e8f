import { type Adapter, Provider } from 'oidc-provider'
import { digest, secretsEqual } from '#kit/secrets.ts'
import type { ClientStore } from './client-store.ts'

/** Members of a client's metadata that oidc-provider does not know itself. */
export const extraClientMetadata = ['accepted_authentication'] as const

/** The store of clients as oidc-provider reads it, for every request anew; it never writes. */
export function clientAdapter(clients: ClientStore): Adapter {
  const refuse = () => Promise.reject(new TypeError('clients are changed in the admin panel alone'))
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

/**
 * Makes a provider compare secrets by their digest, which is all that is kept of them, and take
 * them in the way alone that the client is registered for (document 1, POST /accounts/token: Basic
 * or in body, per client configuration). Both comparisons take place whatever the first one gives.
 */
export function authenticateClients(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compareDigests(given) {
    const isRight = secretsEqual(digest(given), this.clientSecret ?? '')
    const isInBody = typeof Provider.ctx?.oidc.params?.client_secret === 'string'
    const used = isInBody ? 'client_secret_post' : 'client_secret_basic'
    const accepted = this.accepted_authentication
    return isRight && (accepted === 'either' || accepted === used)
  }
}
