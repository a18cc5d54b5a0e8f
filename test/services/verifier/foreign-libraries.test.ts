import { createPrivateKey, sign } from 'node:crypto'
import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { verifyJWT } from 'did-jwt'
import { type DIDDocument, Resolver } from 'did-resolver'
import { decodeJwt, importJWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { type RunningVerifier, startVerifier } from '#test/support/verifier.ts'

/** did-jwt's resolver, which gets the documents of the DID registry unchanged. */
const resolverFor = ({ world }: RunningVerifier) =>
  new Resolver({
    org: async (did) => ({
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
      didDocumentMetadata: {},
      didDocument: (world.documentAt(did, world.now) ?? null) as DIDDocument | null,
    }),
  })

// @row 1.resources-and-their-fields/presentation-authorization-request.9
describe('the signed request', () => {
  it('verifies with did-jwt against the DID document of its client_id (A-45)', async () => {
    const verifier = await startVerifier()
    const { request_uri } = await verifier.createSession()
    const jwt = await (await fetch(request_uri)).text()
    const { payload, signer, issuer } = await verifyJWT(jwt, {
      resolver: resolverFor(verifier),
      audience: 'https://self-issued.me/v2',
    })
    const { verifierDid, verifierVMethodId } = verifier.config()
    expect([issuer, payload.client_id]).toEqual([verifierDid, verifierDid])
    expect(signer.id).toBe(`${verifierDid}#${verifierVMethodId}`)
    const [header, , signature] = jwt.split('.')
    const changed = { ...decodeJwt(jwt), nonce: 'another' }
    const forged = `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
    await expect(verifyJWT(forged, { resolver: resolverFor(verifier) })).rejects.toThrow()
  })
})

describe('oid4vc-ts as the wallet', () => {
  const unused = () => {
    throw new Error('this callback is not needed')
  }
  const callbacks = { hash: unused, encryptJwe: unused, decryptJwe: unused, signJwt: unused }
  const client = new Openid4vpClient({
    callbacks: { ...callbacks, verifyJwt: () => ({ verified: false }) },
  })

  it('reads links by value, signed and by reference', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const verifier = await startVerifier()
    const { verifierDid } = verifier.config()
    const read = async (delivery: string) => {
      const session = await verifier.createSession({ delivery })
      const authorizationRequest = session.authorization_request
      return { session, read: client.parseOpenid4vpAuthorizationRequest({ authorizationRequest }) }
    }
    const byValue = await read('value')
    expect(byValue.read).toMatchObject({
      type: 'openid4vp',
      provided: 'uri',
      params: {
        response_type: 'vp_token',
        response_mode: 'direct_post',
        client_id: verifierDid,
        nonce: (await verifier.getRequest(byValue.session)).nonce,
        dcql_query: { credentials: [{ id: 'lear_credential', format: 'jwt_vc_json' }] },
      },
    })
    // A link with only request_uri, as in the specification, lacks client_id, which oid4vc-ts requires.
    const byReference = await verifier.createSession({ delivery: 'reference' })
    const request = await (await fetch(byReference.request_uri)).text()
    const authorizationRequest = { client_id: verifierDid, request }
    expect(client.parseOpenid4vpAuthorizationRequest({ authorizationRequest })).toMatchObject({
      type: 'jar',
      provided: 'params',
    })
    const signed = await read('signed')
    expect(signed.read).toMatchObject({ type: 'jar', params: { client_id: verifierDid } })
  })

  it('verifies who signed the request', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const verifier = await startVerifier()
    const { verifierDid } = verifier.config()
    const verifying = new Openid4vpClient({
      callbacks: {
        ...callbacks,
        async verifyJwt(_signer, { compact }) {
          const audience = 'https://self-issued.me/v2'
          await verifyJWT(compact, { resolver: resolverFor(verifier), audience })
          return { verified: true, signerJwk: { kty: 'EC' } }
        },
      },
    })
    const { request_uri } = await verifier.createSession({ delivery: 'reference' })
    const resolved = await verifying.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: { client_id: verifierDid, request_uri },
    })
    expect(resolved).toMatchObject({
      client: { prefix: 'decentralized_identifier', effective: verifierDid },
      // 25 is the last draft with a bare DID for a client_id.
      version: 25,
    })
  })
})

// SEC 2, 2.4.1: the order of secp256k1.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

// Written from profile/verifier, Presentation submission.
const presentation_submission = JSON.stringify({
  id: '7e5f1b3a',
  definition_id: 'dcql_query',
  descriptor_map: [
    {
      id: 'lear_credential',
      format: 'jwt_vp',
      path: '$',
      path_nested: {
        id: 'lear_credential',
        format: 'jwt_vc',
        path: '$.vp.verifiableCredential[0]',
      },
    },
  ],
})

async function begin(curve: 'secp256k1' | 'Ed25519') {
  const verifier = await startVerifier()
  const holder = createHolder('foreign', curve)
  const credential = verifier.world.issue(verifier.world.credentialPayload(holder.did))
  const session = await verifier.createSession()
  const request = await verifier.getRequest(session)
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: holder.did,
    aud: request.client_id,
    nonce: request.nonce,
    iat: now,
    exp: now + 300,
    vp: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiablePresentation'],
      verifiableCredential: [credential],
    },
  }
  const statusAfter = async (vp_token: string) => {
    await verifier.post(request.response_uri, { vp_token, presentation_submission })
    return (await verifier.inspect(session)).status
  }
  return { holder, claims, statusAfter }
}

describe('a presentation that is signed by', () => {
  it('EdDSA by jose', async () => {
    const { holder, claims, statusAfter } = await begin('Ed25519')
    const vpToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: holder.kid })
      .sign(await importJWK({ ...holder.privateKey }, 'EdDSA'))
    expect(await statusAfter(vpToken)).toBe('SUCCESS')
  })

  it.each(['low', 'high'])('ES256K by OpenSSL, %s s', async (half) => {
    const { holder, claims, statusAfter } = await begin('secp256k1')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = { alg: 'ES256K', typ: 'JWT', kid: holder.kid }
    const input = `${encode(header)}.${encode(claims)}`
    const key = createPrivateKey({ key: { ...holder.privateKey }, format: 'jwk' })
    const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
    const isHigh = s > order / 2n
    const wanted = isHigh === (half === 'high') ? s : order - s
    const bytes = Buffer.from(wanted.toString(16).padStart(64, '0'), 'hex')
    const vpToken = `${input}.${Buffer.concat([signature.subarray(0, 32), bytes]).toString('base64url')}`
    expect(await statusAfter(vpToken)).toBe('SUCCESS')
  })
})
