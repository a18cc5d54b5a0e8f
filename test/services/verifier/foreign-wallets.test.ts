import { createPrivateKey, sign } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { createHolder } from '#conformance/world/create-trust-world.ts'
import { type PresentationRequest, startVerifier } from '#test/support/verifier.ts'

// SEC 2, 2.4.1: the order of secp256k1.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const claimsFor = (request: PresentationRequest, holderDid: string, credential: string) => {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: holderDid,
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
}

// Written from document 1, presentation_submission.
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
  const claims = claimsFor(request, holder.did, credential)
  const statusAfter = async (vp_token: string) => {
    await verifier.post(request.response_uri, { vp_token, presentation_submission })
    return (await verifier.inspect(session)).status
  }
  return { holder, claims, statusAfter }
}

describe('presentations that others sign', () => {
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
