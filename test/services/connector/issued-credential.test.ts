import { verifyJWT } from 'did-jwt'
import { type DIDResolver, Resolver } from 'did-resolver'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { validateCredential } from '#test/support/foreign-verifiers.ts'
import { callJson } from '#test/support/http.ts'
import { shareTestbed } from '#test/support/running-testbed.ts'
import { acceptOffer, typeChainOf } from '#wallet-emulator/actions/accept-offer.ts'
import { requestCredential } from '#wallet-emulator/actions/request-credential.ts'
import { requestToken } from '#wallet-emulator/actions/request-token.ts'
import { resolveCredentialOffer } from '#wallet-emulator/actions/resolve-credential-offer.ts'
import { validateReceivedCredential } from '#wallet-emulator/actions/validate-received-credential.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createDidResolver } from '#wallet-emulator/trust/wallet-trust.ts'

// Reads a credential of a whole testbed with third-party libraries that share no code with it.

const shared = shareTestbed()
beforeAll(async () => {
  first = await obtain(power)
  document = await resolve(String(first.payload.iss))
})

const power = [
  { type: 'domain', domain: 'PORTAL', function: 'Onboarding', action: ['execute', 'read'] },
]

function openWallet() {
  const wallet = createWallet({ http: { allowPrivateAddresses: true } })
  const resolveDidDocument = createDidResolver(wallet.http, () => shared.pre.didRegistryBaseUrl)
  return { wallet, resolveDidDocument }
}

async function obtain(requested: object) {
  const { wallet, resolveDidDocument } = openWallet()
  const offer = await shared.order({ power: requested })
  const [accepted] = await acceptOffer(wallet, offer, { resolveDidDocument })
  const { credential } = accepted?.credential ?? { credential: '' }
  return {
    credential,
    holderDid: wallet.account.did,
    header: decodeProtectedHeader(credential),
    payload: decodeJwt(credential),
  }
}

interface DidDocument {
  readonly id: string
  readonly verificationMethod: readonly { readonly id: string; readonly publicKeyJwk: object }[]
  readonly assertionMethod: readonly string[]
}

async function resolve(did: string): Promise<DidDocument> {
  const url = `${shared.pre.didRegistryBaseUrl}/api/v1/identifiers/${encodeURIComponent(did)}`
  return (await callJson(url, { headers: { accept: 'application/did+ld+json' } })).body
}

let first: Awaited<ReturnType<typeof obtain>>
let document: DidDocument

describe('a credential from the running testbed', () => {
  it('verifies in did-jwt with a key of assertionMethod (I54)', async () => {
    const kid = String(first.header.kid)
    expect(['ES256K', 'EdDSA']).toContain(first.header.alg)
    expect(document.assertionMethod).toContain(kid)
    const answerWithRegistry: DIDResolver = async (did) => ({
      didResolutionMetadata: { contentType: 'application/did+ld+json' },
      didDocumentMetadata: {},
      didDocument: (await resolve(did)) as never,
    })
    const resolver = new Resolver({ org: answerWithRegistry })
    const verified = await verifyJWT(first.credential, {
      resolver,
      proofPurpose: 'assertionMethod',
    })
    expect(verified.signer.id).toBe(kid)
    const tampered = first.credential.replace(/.\.([^.]*)$/, '_.$1')
    await expect(verifyJWT(tampered, { resolver })).rejects.toThrow()
  })

  it('names its key by the thumbprint that jose computes (I54)', async () => {
    const kid = String(first.header.kid)
    const method = document.verificationMethod.find(({ id }) => id === kid)
    expect(await calculateJwkThumbprint(method?.publicKeyJwk ?? {})).toBe(kid.split('#')[1])
  })

  it('is valid against its JSON Schema in ajv', async () => {
    expect(await validateCredential(first.credential)).toEqual([])
  })
})

describe('many concurrent wallets', () => {
  it('redeem 50 offers in parallel, step by step', async () => {
    const opened = Array.from({ length: 50 }, openWallet)
    // Each step of all wallets at the same time. With all steps at the same time, a service waits
    // for the work of all of them, and on a busy machine longer than its limit of five seconds.
    const offers = await Promise.all(opened.map(() => shared.order({ power })))
    const resolved = await Promise.all(
      opened.map(async ({ wallet, ...rest }, index) => {
        const offer = await resolveCredentialOffer(wallet, offers[index] ?? '')
        const [entry] = offer.offered
        if (entry === undefined) throw new Error('The offer is empty')
        return { wallet, offer, entry, ...rest }
      }),
    )
    const authorized = await Promise.all(
      resolved.map(async (each) => ({
        ...each,
        token: await requestToken(each.wallet, each.offer),
      })),
    )
    const answered = await Promise.all(
      authorized.map(async ({ wallet, offer: { metadata }, entry, token, ...rest }) => {
        const answer = await requestCredential(wallet, { metadata, entry, ...token })
        if (answer.kind === 'deferred') throw new Error('The credential is deferred')
        return { wallet, metadata, entry, ...rest, credential: answer.credential }
      }),
    )
    const identifiers = answered.map(({ credential }) => decodeJwt(credential).jti)
    expect(new Set(identifiers).size).toBe(50)
    for (const { wallet, metadata, entry, credential, resolveDidDocument } of answered) {
      expect(decodeJwt(credential).sub).toBe(wallet.account.did)
      const { credentialIssuer } = metadata
      const { failures } = await validateReceivedCredential(wallet, credential, {
        resolveDidDocument,
        types: typeChainOf(entry),
        credentialIssuer,
      })
      expect(failures).toEqual([])
    }
  })
})
