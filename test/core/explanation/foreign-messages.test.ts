import type { CallbackContext } from '@openid4vc/oauth2'
import { Openid4vciIssuer, setGlobalConfig } from '@openid4vc/openid4vci'
import { createJWT, ES256KSigner } from 'did-jwt'
import { importJWK, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHolder, createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { createForeignRequest, explainInWorld, rulesWith } from '#test/support/explanations.ts'

beforeAll(() => setGlobalConfig({ allowInsecureUrls: true }))

const callbacks = {} as CallbackContext

describe('messages that others make', () => {
  it('a credential by did-jwt', async () => {
    const world = createTrustWorld()
    const { did, kid, privateKey } = world.issuer
    const signer = ES256KSigner(Buffer.from(privateKey.d, 'base64url'))
    const payload = world.credentialPayload()
    const jwt = await createJWT(payload, { issuer: did, signer, alg: 'ES256K' }, { kid })
    const explanation = await explainInWorld(world, jwt)
    expect([explanation.kind, explanation.verdict]).toEqual(['credential', 'holds'])
    const changed = await createJWT(
      { ...payload, vc: { ...payload.vc, type: ['VerifiableCredential'] } },
      { issuer: did, signer, alg: 'ES256K' },
      { kid },
    )
    expect(rulesWith('broken', await explainInWorld(world, changed))).toEqual([
      'credential.type-chain',
      'credential.type',
    ])
  })

  it('a presentation by jose', async () => {
    const world = createTrustWorld()
    const holder = createHolder('foreign', 'Ed25519')
    const key = await importJWK({ ...holder.privateKey }, 'EdDSA')
    const sign = (typ: string) =>
      new SignJWT({
        iss: holder.did,
        aud: 'did:example:verifier',
        nonce: 'n',
        iat: world.now,
        exp: world.now + 300,
        vp: {
          '@context': ['https://www.w3.org/2018/credentials/v1'],
          type: ['VerifiablePresentation'],
          verifiableCredential: [world.issue(world.credentialPayload(holder.did))],
        },
      })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: holder.kid })
        .sign(key)
    const known = { audience: 'did:example:verifier', nonce: 'n' }
    const good = await explainInWorld(world, await sign('JWT'), known)
    expect([good.kind, good.verdict]).toEqual(['presentation', 'holds'])
    expect(good.parts.map(({ kind, verdict }) => [kind, verdict])).toEqual([
      ['credential', 'holds'],
    ])
    const bad = await explainInWorld(world, await sign('vp+jwt'), known)
    expect(rulesWith('broken', bad)).toEqual(['presentation.typ'])
  })

  it('an offer by oid4vc-ts, whose revision is a later one', async () => {
    const issuer = new Openid4vciIssuer({ callbacks })
    const metadata = issuer.createCredentialIssuerMetadata({
      credential_issuer: 'https://issuer.example',
      credential_endpoint: 'https://issuer.example/credential',
      credential_configurations_supported: {
        A: { format: 'jwt_vc_json', credential_definition: { type: ['A'] } },
      },
    })
    const { credentialOffer } = await issuer.createCredentialOffer({
      issuerMetadata: {
        credentialIssuer: metadata,
        authorizationServers: [],
        knownCredentialConfigurations: {},
      } as never,
      credentialConfigurationIds: ['A'],
      grants: {
        'urn:ietf:params:oauth:grant-type:pre-authorized_code': { 'pre-authorized_code': 'code' },
      },
    })
    const world = createTrustWorld()
    const explanation = await explainInWorld(world, credentialOffer)
    expect(explanation.kind).toBe('credential-offer')
    expect(rulesWith('broken', explanation)).toEqual(['offer.credentials'])
    expect(explanation.dialect?.departures.map(({ path }) => path)).toEqual([
      'credential_configuration_ids',
    ])
    const described = await explainInWorld(world, metadata)
    expect(described.kind).toBe('issuer-metadata')
    expect(rulesWith('broken', described)).toEqual(['metadata.credentials-supported'])
  })

  it('a request by oid4vc-ts', async () => {
    const { authorizationRequest } = await createForeignRequest(callbacks)
    const explanation = await explainInWorld(createTrustWorld(), authorizationRequest)
    expect([explanation.kind, explanation.verdict]).toEqual(['authorization-request', 'holds'])
  })
})
