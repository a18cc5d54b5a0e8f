import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { gunzipSync } from 'node:zlib'

interface Jwt {
  readonly header: { readonly kid: string }
  readonly payload: { readonly iss: string; readonly iat: number; readonly vc: unknown }
  readonly input: string
  readonly signature: Buffer
}

interface DidDocument {
  readonly verificationMethod: readonly { readonly id: string; readonly publicKeyJwk: JsonWebKey }[]
  readonly assertionMethod: readonly string[]
}

/**
 * What the peer's verifier has to find out besides what oid4vc-ts does for it, in the plainest way:
 * fetch and node:crypto, the fastest signatures that Node has. It asks for the same documents as
 * ours: the issuer's DID document then and now, each accreditation up to the root with the document
 * of who signed it, and the status list. Throws where anything does not hold.
 */
export async function verifyCredentialPlainly<Credential>(
  credential: string,
  holderDid: string,
  trustUrl: string,
): Promise<Credential> {
  const jwt = decode(credential)
  const { iss, iat } = jwt.payload
  const vc = jwt.payload.vc as {
    credentialSubject: { id: string }
    termsOfUse: { id: string }
    credentialStatus: { statusListCredential: string; statusListIndex: string }
    validUntil: string
  }
  check(vc.credentialSubject.id === holderDid, 'another holder')
  check(Date.parse(vc.validUntil) > Date.now(), 'expired')
  const documents = new Map<string, Promise<DidDocument>>()
  const resolve = (did: string, query = '') => {
    const url = `${trustUrl}/api/v1/identifiers/${encodeURIComponent(did)}${query}`
    const asked = documents.get(url) ?? (fetchJson(url) as Promise<DidDocument>)
    documents.set(url, asked)
    return asked
  }
  const [then, now, list] = await Promise.all([
    resolve(iss, `?valid-at=${iat}`),
    resolve(iss),
    fetchText(trustUrl + new URL(vc.credentialStatus.statusListCredential).pathname),
  ])
  verifyBy(jwt, then)
  const statusList = decode(list)
  verifyBy(statusList, now)
  const { encodedList } = (statusList.payload.vc as { credentialSubject: { encodedList: string } })
    .credentialSubject
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  const index = Number(vc.credentialStatus.statusListIndex)
  check(((bits[index >> 3] ?? 255) & (128 >> (index & 7))) === 0, 'revoked')

  let next = trustUrl + new URL(vc.termsOfUse.id).pathname
  for (let hops = 0; ; hops++) {
    check(hops < 8, 'too many hops')
    const { attribute } = (await fetchJson(next)) as {
      attribute: { body: string; tao: string; attributeIdTao: string; issuerType: string }
    }
    check(attribute.issuerType !== 'REVOKED', 'not accredited')
    verifyBy(
      decode(Buffer.from(attribute.body, 'base64url').toString()),
      await resolve(attribute.tao),
    )
    if (attribute.issuerType === 'RTAO') return vc as Credential
    const base = next.slice(0, next.indexOf('/v1/issuers/'))
    next = `${base}/v1/issuers/${attribute.tao}/attributes/${attribute.attributeIdTao}`
  }
}

function decode(jwt: string): Jwt {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return {
    header: parse(header),
    payload: parse(payload),
    input: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

function verifyBy({ header, input, signature }: Jwt, document: DidDocument): void {
  const method = document.verificationMethod.find(({ id }) => id === header.kid)
  check(method !== undefined && document.assertionMethod.includes(method.id), 'no such key')
  const key = createPublicKey({ key: method?.publicKeyJwk ?? {}, format: 'jwk' })
  const options = { key, dsaEncoding: 'ieee-p1363' } as const
  check(verify('sha256', Buffer.from(input), options, signature), 'the signature does not verify')
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

const fetchText = async (url: string) => (await fetch(url)).text()
const fetchJson = async (url: string): Promise<unknown> => (await fetch(url)).json()
