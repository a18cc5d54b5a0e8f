import { type Adapter, type AdapterFactory, type AdapterPayload, Provider } from 'oidc-provider'
import { jwtAccessTokens } from '#kit/openid-provider/open-provider.ts'
import { createRsaKey } from '#kit/openid-provider/signing-keys.ts'
import { openPeerDatabase } from '../peer-database.ts'
import type { LoginSetup } from './login-system.ts'

/** The members of a credential that become claims. */
export interface PeerCredential {
  readonly credentialSubject: { readonly mandate: { readonly mandatee: Record<string, string> } }
}

interface PeerProviderOptions {
  readonly issuer: string
  readonly client: LoginSetup['client']
  accountOf(id: string): PeerCredential | undefined
  /** Default: in memory. */
  readonly databasePath?: string
}

const scope = 'openid profile email'

/**
 * oidc-provider configured for the requirements of the profile: JWT access tokens, refresh tokens.
 */
export async function createPeerProvider(options: PeerProviderOptions) {
  const { issuer, client, accountOf, databasePath } = options
  const key = await createRsaKey()
  const claimsOf = (id: string) => {
    const mandatee = accountOf(id)?.credentialSubject.mandate.mandatee
    return {
      sub: id,
      email: mandatee?.email,
      given_name: mandatee?.firstName,
      family_name: mandatee?.lastName,
      name: `${mandatee?.firstName} ${mandatee?.lastName}`,
      preferred_username: mandatee?.email,
    }
  }
  const provider = new Provider(issuer, {
    ...(databasePath !== undefined && { adapter: createPeerAdapter(databasePath) }),
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...key }] },
    cookies: { keys: ['a cookie key of 32 characters or more'] },
    claims: {
      openid: ['sub'],
      email: ['email'],
      profile: ['given_name', 'family_name', 'name', 'preferred_username'],
    },
    conformIdTokenClaims: false,
    issueRefreshToken: () => true,
    features: {
      devInteractions: { enabled: false },
      // It rejects JWT access tokens.
      userinfo: { enabled: false },
      resourceIndicators: jwtAccessTokens({ audience: issuer, lifetime: 3600, scope }),
    },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      Grant: 3600,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 3600,
      Session: 3600,
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
    async loadExistingGrant({ oidc }) {
      const { accountId } = oidc.session ?? {}
      if (!oidc.client || accountId === undefined) return undefined
      const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope(scope)
      grant.addResourceScope(issuer, scope)
      await grant.save()
      return grant
    },
  })
  return { provider, publicKey: { kty: key.kty, n: key.n, e: key.e }, claimsOf }
}

/** oidc-provider's storage in SQLite in the plainest form, with every statement prepared once. */
function createPeerAdapter(path: string): AdapterFactory {
  const database = openPeerDatabase(path)
  database.exec(`CREATE TABLE artifacts (
    model TEXT, id TEXT, payload TEXT, uid TEXT, grant_id TEXT, consumed INTEGER,
    PRIMARY KEY (model, id))`)
  database.exec('CREATE INDEX by_uid ON artifacts (model, uid)')
  database.exec('CREATE INDEX by_grant ON artifacts (grant_id)')
  const upsert = database.prepare('INSERT OR REPLACE INTO artifacts VALUES (?, ?, ?, ?, ?, NULL)')
  const byId = database.prepare('SELECT * FROM artifacts WHERE model = ? AND id = ?')
  const byUid = database.prepare('SELECT * FROM artifacts WHERE model = ? AND uid = ?')
  const consume = database.prepare('UPDATE artifacts SET consumed = ? WHERE model = ? AND id = ?')
  const destroy = database.prepare('DELETE FROM artifacts WHERE model = ? AND id = ?')
  const revoke = database.prepare('DELETE FROM artifacts WHERE grant_id = ?')
  const read = (row: ReturnType<typeof byId.get>): AdapterPayload | undefined =>
    row && { ...JSON.parse(String(row.payload)), ...(row.consumed ? { consumed: true } : {}) }

  return (model): Adapter => ({
    async upsert(id, payload) {
      const { uid = null, grantId = null } = payload
      upsert.run(model, id, JSON.stringify(payload), uid, grantId)
    },
    find: async (id) => read(byId.get(model, id)),
    findByUid: async (uid) => read(byUid.get(model, uid)),
    findByUserCode: async () => undefined,
    async consume(id) {
      consume.run(Math.floor(Date.now() / 1000), model, id)
    },
    async destroy(id) {
      destroy.run(model, id)
    },
    async revokeByGrantId(grantId) {
      revoke.run(grantId)
    },
  })
}
