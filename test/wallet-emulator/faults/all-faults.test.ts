import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJws } from '#core/crypto/parse-jws.ts'
import { createProofOfPossession } from '#core/oid4vci/proof-of-possession/create-proof-of-possession.ts'
import { verifyProofOfPossession } from '#core/oid4vci/proof-of-possession/verify-proof-of-possession.ts'
import { createVpToken } from '#core/oid4vp/vp-token/create-vp-token.ts'
import { verifyVpToken } from '#core/oid4vp/vp-token/verify-vp-token.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { allFaults, findFault } from '#wallet-emulator/faults/all-faults.ts'
import { applyJwsFaults } from '#wallet-emulator/faults/apply-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const now = 1_800_000_000
const credentialIssuer = 'https://issuer.test'
const audience = 'did:org:uc-pre:z1Verifier'

function walletWith(curve: 'secp256k1' | 'Ed25519', faults: readonly WalletFault[]) {
  return createWallet({ account: createAccount({ curve, seed: 'faults' }), faults, now: () => now })
}

type TestWallet = ReturnType<typeof walletWith>

function brokenByProof(wallet: TestWallet): string[] {
  const { did, kid, privateKey } = wallet.account
  const proof = { privateKey, holderDid: did, kid, credentialIssuer, cNonce: 'nonce-1', now }
  const jwt = applyJwsFaults(wallet, 'proof', createProofOfPossession(proof))
  const cNonce = { value: 'nonce-1', expiresAt: now + 300 }
  const result = verifyProofOfPossession({ jwt, credentialIssuer, cNonce, now })
  return result.ok ? [] : result.failures.map(({ rule }) => rule)
}

async function brokenByPresentation(wallet: TestWallet): Promise<string[]> {
  const { did, kid, privateKey } = wallet.account
  const options = {
    holderDid: did,
    kid,
    privateKey,
    audience,
    nonce: 'n',
    credentials: ['a.b.c'],
    now,
  }
  const jws = parseJws(applyJwsFaults(wallet, 'presentation', createVpToken(options)))
  if (!jws.ok) throw new TypeError(jws.reason)
  const { failures, holderDid } = await verifyVpToken({ jws, audience, nonce: 'n', now })
  // Whose credential it is shows in the credential alone; this is what it is compared with.
  const mismatch = holderDid === did ? [] : ['credential.holder']
  return [...failures.map(({ rule }) => rule), ...mismatch]
}

const expected: Readonly<Record<string, readonly string[]>> = {
  'proof-wrong-aud': ['proof.aud'],
  'proof-bad-signature': ['proof.signature'],
  'proof-wrong-nonce': ['proof.nonce'],
  'proof-wrong-typ': ['proof.typ'],
  'presentation-wrong-nonce': ['presentation.nonce'],
  'presentation-wrong-aud': ['presentation.audience'],
  'presentation-expired': ['presentation.expiry'],
  'presentation-bad-signature': ['presentation.signature'],
  'holder-mismatch': ['credential.holder'],
}

describe.each(['secp256k1', 'Ed25519'] as const)('a wallet with %s', (curve) => {
  it('breaks no rule without a fault', async () => {
    const wallet = walletWith(curve, [])
    expect(brokenByProof(wallet)).toEqual([])
    expect(await brokenByPresentation(wallet)).toEqual([])
  })

  it.each(allFaults)('breaks one rule by $name', async (fault) => {
    const wallet = walletWith(curve, [fault])
    const broken = [...brokenByProof(wallet), ...(await brokenByPresentation(wallet))]
    expect(broken).toEqual(expected[fault.name])
  })

  it('breaks several by several', async () => {
    const faults = ['presentation-wrong-aud', 'presentation-wrong-nonce', 'holder-mismatch']
    const wallet = walletWith(
      curve,
      faults.map(findFault).filter((fault) => fault !== undefined),
    )
    expect(await brokenByPresentation(wallet)).toEqual([
      'presentation.audience',
      'presentation.nonce',
      'credential.holder',
    ])
  })
})

describe('allFaults', () => {
  it('names each fault as its file, with its check and rule', () => {
    const files = new Set(
      readdirSync(resolve(import.meta.dirname, '../../../wallet-emulator/faults')),
    )
    for (const { name, check, rule, description } of allFaults) {
      expect(files).toContain(`${name}.ts`)
      expect(check).toMatch(/^[IV]\d\d$/)
      expect(rule).not.toBe('')
      expect(description).toMatch(/\.$/)
      expect(findFault(name)?.name).toBe(name)
    }
    expect(new Set(allFaults.map(({ name }) => name)).size).toBe(allFaults.length)
    expect(findFault('no-such-fault')).toBeUndefined()
  })
})
