import { z } from 'zod'
import { accountOfKey } from '../keys/create-account.ts'

const zPrivateJwk = z.discriminatedUnion('kty', [
  z.object({
    kty: z.literal('EC'),
    crv: z.literal('secp256k1'),
    x: z.string(),
    y: z.string(),
    d: z.string(),
  }),
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), d: z.string() }),
])

/** An account as it is kept: the key and the DID method; the rest follows from them. */
export const zStoredAccount = z
  .object({
    version: z.literal(1),
    didMethod: z.enum(['key', 'jwk']),
    privateKey: zPrivateJwk,
  })
  .transform(({ didMethod, privateKey }) => accountOfKey({ didMethod, privateKey }))

export const zStoredCredential = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  format: z.string(),
  credential: z.string(),
  credentialIssuer: z.string(),
  receivedAt: z.number(),
})
