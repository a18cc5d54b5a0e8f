import { Provider } from 'oidc-provider'
import { digest, secretsEqual } from '#kit/secrets.ts'

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
