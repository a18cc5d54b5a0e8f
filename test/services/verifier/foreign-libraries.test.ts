import { setGlobalConfig } from '@openid4vc/oauth2'
import { Openid4vpClient } from '@openid4vc/openid4vp'
import { verifyJWT } from 'did-jwt'
import { type DIDDocument, Resolver } from 'did-resolver'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { type RunningVerifier, startVerifier } from '#test/support/verifier.ts'

/** did-jwt's resolver, which gets the documents of the DID registry as they are. */
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
  const client = new Openid4vpClient({
    callbacks: {
      hash: () => new Uint8Array(),
      encryptJwe: () => {
        throw new Error('nothing is encrypted')
      },
      decryptJwe: () => {
        throw new Error('nothing is encrypted')
      },
      signJwt: () => {
        throw new Error('nothing is signed')
      },
      verifyJwt: () => ({ verified: false }),
    },
  })

  it('reads our links by value and signed, and the request at the address of those by reference', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const verifier = await startVerifier()
    const { verifierDid } = verifier.config()
    const read = async (delivery: string) => {
      const session = await verifier.createSession({ delivery })
      const link = session.authorization_request
      return {
        session,
        read: client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link }),
      }
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
    // A link with request_uri alone, as the document has it, lacks what it asks of one: client_id.
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

  it('takes the signed request for one of a single revision, and verifies whom it is from', async () => {
    setGlobalConfig({ allowInsecureUrls: true })
    const verifier = await startVerifier()
    const { verifierDid } = verifier.config()
    const unused = () => {
      throw new Error('no such callback is needed here')
    }
    const verifying = new Openid4vpClient({
      callbacks: {
        hash: unused,
        encryptJwe: unused,
        decryptJwe: unused,
        signJwt: unused,
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
