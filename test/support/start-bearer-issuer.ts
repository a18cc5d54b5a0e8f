import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { closeServer, listenOn } from './servers.ts'

export interface BearerIssuer {
  readonly jwksUri: string
  /** A Bearer token with valid claims, which the given ones replace; undefined omits a claim. */
  mint(claims?: Record<string, unknown>, options?: MintOptions): Promise<string>
  /** A new signing key; the previous key is no longer published, unless it is kept. */
  rotate(options?: { readonly keep?: boolean }): Promise<void>
  /** How often the key set has been fetched. */
  readonly fetches: number
  stop(): Promise<void>
}

interface MintOptions {
  /** Signs with a key that is not published, under the published kid. */
  readonly foreignKey?: boolean
  /** Omits the kid from the header. */
  readonly withoutKid?: boolean
}

const representative = {
  organization_identifier: 'VATES-A12345678',
  organization: 'Ejemplo S.A.',
  user_identifier: 'IDCES-99999999R',
  email: 'luz.diaz@example.org',
  given_name: 'Luz',
  family_name: 'Díaz',
}

const kept = new Map<string, ReturnType<typeof generateKeyPair>>()

/** The same key for all issuers of a process: to create one takes longer than most tests need it. */
function keptKeyPair(alg: string, purpose: 'published' | 'foreign') {
  const name = `${alg} ${purpose}`
  const keys = kept.get(name) ?? generateKeyPair(alg)
  kept.set(name, keys)
  return keys
}

/** Publishes a key set over HTTP and mints Bearer tokens with jose. */
export async function startBearerIssuer(alg: 'RS256' | 'ES256' = 'RS256'): Promise<BearerIssuer> {
  let generation = 0
  let fetches = 0
  let former: JWK[] = []
  let signing: { privateKey: CryptoKey; publicJwk: JWK }
  const publish = async (keys: ReturnType<typeof generateKeyPair>) => {
    const { privateKey, publicKey } = await keys
    generation++
    const publicJwk = { ...(await exportJWK(publicKey)), kid: `key-${generation}`, alg }
    return { privateKey, publicJwk }
  }
  signing = await publish(keptKeyPair(alg, 'published'))
  const foreign = await keptKeyPair(alg, 'foreign')
  const server = createServer((_request, response) => {
    fetches++
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ keys: [...former, signing.publicJwk] }))
  })
  const origin = await listenOn(server)
  return {
    jwksUri: `${origin}/jwks`,
    get fetches() {
      return fetches
    },
    mint(claims = {}, { foreignKey = false, withoutKid = false } = {}) {
      const now = Math.floor(Date.now() / 1000)
      return new SignJWT({ ...representative, iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg, ...(withoutKid ? {} : { kid: signing.publicJwk.kid ?? '' }) })
        .sign(foreignKey ? foreign.privateKey : signing.privateKey)
    },
    async rotate({ keep = false } = {}) {
      former = keep ? [...former, signing.publicJwk] : []
      signing = await publish(generateKeyPair(alg))
    },
    stop: () => closeServer(server),
  }
}
