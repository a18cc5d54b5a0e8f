import { gunzipSync } from 'node:zlib'
import { decodeJWT, verifyJWT } from 'did-jwt'
import { type DIDDocument, Resolver } from 'did-resolver'

interface Claims {
  readonly iss: string
  readonly iat: number
  readonly vc: {
    readonly credentialSubject: { readonly id: string; readonly encodedList: string }
    readonly termsOfUse: { readonly id: string }
    readonly credentialStatus: {
      readonly statusListCredential: string
      readonly statusListIndex: string
    }
  }
}

interface Attribute {
  readonly attribute: {
    readonly body: string
    readonly tao: string
    readonly attributeIdTao: string
    readonly issuerType: string
  }
}

/**
 * What the peer's verifier has to find out besides what oid4vc-ts does for it, with did-jwt, which
 * has the algorithm of the documents. It asks for the same as ours: the issuer's DID document then
 * and now, each accreditation up to the root with the document of who signed it, and the status
 * list. Throws where anything does not hold; gives the `vc` claim.
 */
export async function verifyWithDidJwt<Credential>(
  credential: string,
  holderDid: string,
  trustUrl: string,
): Promise<Credential> {
  const { iat, vc } = decodeJWT(credential).payload as unknown as Claims
  check(vc.credentialSubject.id === holderDid, 'another holder')
  const { statusListCredential, statusListIndex } = vc.credentialStatus
  const now = createResolver(trustUrl)
  const [, list] = await Promise.all([
    verifyJWT(credential, { resolver: createResolver(trustUrl, iat) }),
    fetchText(trustUrl + new URL(statusListCredential).pathname),
  ])
  const { payload } = await verifyJWT(list, { resolver: now })
  const { encodedList } = (payload as unknown as Claims).vc.credentialSubject
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  const index = Number(statusListIndex)
  check(((bits[index >> 3] ?? 255) & (128 >> (index & 7))) === 0, 'revoked')

  let next = trustUrl + new URL(vc.termsOfUse.id).pathname
  for (let hops = 0; ; hops++) {
    check(hops < 8, 'too many hops')
    const { attribute } = JSON.parse(await fetchText(next)) as Attribute
    check(attribute.issuerType !== 'REVOKED', 'not accredited')
    const body = Buffer.from(attribute.body, 'base64url').toString()
    const { issuer } = await verifyJWT(body, { resolver: now })
    check(issuer === attribute.tao, 'signed by another one')
    if (attribute.issuerType === 'RTAO') return vc as Credential
    const base = next.slice(0, next.indexOf('/v1/issuers/'))
    next = `${base}/v1/issuers/${attribute.tao}/attributes/${attribute.attributeIdTao}`
  }
}

/** The DID registry; it is asked once for a document. */
function createResolver(trustUrl: string, validAt?: number): Resolver {
  const query = validAt === undefined ? '' : `?valid-at=${validAt}`
  const resolve = async (did: string) => {
    const text = await fetchText(
      `${trustUrl}/api/v1/identifiers/${encodeURIComponent(did)}${query}`,
    )
    return {
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
      didDocumentMetadata: {},
      didDocument: JSON.parse(text) as DIDDocument,
    }
  }
  return new Resolver({ org: resolve }, { cache: true })
}

function check(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem)
}

const fetchText = async (url: string) => (await fetch(url)).text()
