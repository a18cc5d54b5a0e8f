import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { encodeBase64url } from '#core/crypto/base64url.ts'
import { parseJws } from '#core/crypto/jws.ts'
import { createCertificate } from '../../kit/signatures.ts'
import { withOther } from './similar-values.ts'

/** A token that the token issuer did not create. */
export interface ForgedBearer {
  /** To follow `a token`. */
  readonly what: string
  readonly token: string
}

type Members = Readonly<Record<string, unknown>>

const encode = (part: Members) => encodeBase64url(JSON.stringify(part))

let attacker: ReturnType<typeof createAttacker> | undefined

/** Keys of an attacker, created once since RSA takes its time. */
function createAttacker() {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { rsa, ec, rsaJwk: jwkOf(rsa.publicKey), ecJwk: jwkOf(ec.publicKey) }
}

const jwkOf = (key: KeyObject): Members => ({ ...key.export({ format: 'jwk' }) })

function signWith(header: Members, payload: Members, key: KeyObject): string {
  const input = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${encodeBase64url(signature)}`
}

function signByMac(header: Members, payload: Members, secret: string): string {
  const input = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

/**
 * Forgeries of a valid token.
 * @param other another valid token of the same key
 * @returns undefined if the tokens are not JWTs
 */
export function forgeBearers(token: string, other: string): readonly ForgedBearer[] | undefined {
  const jws = parseJws(token)
  const [head = '', body = '', signature = ''] = token.split('.')
  const [, , otherSignature = ''] = other.split('.')
  if (!jws.ok || !parseJws(other).ok) return undefined
  attacker ??= createAttacker()
  const { rsa, ec, rsaJwk, ecJwk } = attacker
  const { header, payload } = jws
  const { kid: _, ...anonymous } = header
  const rs256 = { ...header, alg: 'RS256' }
  const es256 = { ...header, alg: 'ES256' }
  const changed = encode({ ...payload, organization_identifier: 'VATES-X00000000' })
  const later = encode({ ...payload, exp: Number(payload.exp) + 86_400 })
  const keySet = `data:application/json,${encodeURIComponent(JSON.stringify({ keys: [rsaJwk] }))}`
  return [
    { what: 'with alg none', token: `${encode({ ...header, alg: 'none' })}.${body}.` },
    { what: 'with alg None', token: `${encode({ ...header, alg: 'None' })}.${body}.` },
    {
      what: 'with alg none and a signature',
      token: `${encode({ ...header, alg: 'none' })}.${body}.${signature}`,
    },
    { what: 'without its signature', token: `${head}.${body}.` },
    { what: 'with another organization in it', token: `${head}.${changed}.${signature}` },
    { what: 'with a later expiry in it', token: `${head}.${later}.${signature}` },
    { what: 'with the signature of another token', token: `${head}.${body}.${otherSignature}` },
    {
      what: 'with a changed character in its signature',
      token: `${head}.${body}.${withOther(signature, signature.length >> 1)}`,
    },
    {
      what: 'with half of its signature',
      token: `${head}.${body}.${signature.slice(0, (signature.length >> 2) << 1)}`,
    },
    { what: 'with a fourth part', token: `${token}.e30` },
    { what: 'signed with another RSA key', token: signWith(rs256, payload, rsa.privateKey) },
    { what: 'signed with an EC key', token: signWith(es256, payload, ec.privateKey) },
    {
      what: 'signed with another key and without kid',
      token: signWith({ ...anonymous, alg: 'RS256' }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the key in its jwk',
      token: signWith({ ...rs256, jwk: rsaJwk }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the EC key in its jwk',
      token: signWith({ ...es256, jwk: ecJwk }, payload, ec.privateKey),
    },
    {
      what: 'signed with the key at its jku',
      token: signWith({ ...rs256, jku: keySet }, payload, rsa.privateKey),
    },
    {
      what: 'signed with the key in its x5c',
      token: signWith(
        { ...rs256, x5c: [createCertificate(rsa.privateKey)] },
        payload,
        rsa.privateKey,
      ),
    },
    { what: 'with a MAC of an empty secret', token: signByMac(header, payload, '') },
    { what: 'with a MAC of its kid', token: signByMac(header, payload, String(header.kid)) },
  ]
}
