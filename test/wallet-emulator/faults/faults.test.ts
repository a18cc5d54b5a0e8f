import { describe, expect, it } from 'vitest'
import { parseJws } from '#core/crypto/jws.ts'
import {
  createProofOfPossession,
  type ProofRule,
  verifyProofOfPossession,
} from '#core/oid4vci/proof-of-possession.ts'
import { createVpToken, verifyVpToken, vpTokenRules } from '#core/oid4vp/vp-token.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { applyJwsFaults, sendWithFaults } from '#wallet-emulator/faults/apply-faults.ts'
import { allFaults, findFault, findFaults } from '#wallet-emulator/faults/find-faults.ts'
import { requireCompatibleFaults } from '#wallet-emulator/faults/require-compatible-faults.ts'
import type { WalletFault } from '#wallet-emulator/faults/wallet-fault.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

/** Complete, or it does not compile. */
const proofRules: Readonly<Record<ProofRule, true>> = {
  'proof.format': true,
  'proof.typ': true,
  'proof.alg': true,
  'proof.header-key': true,
  'proof.kid': true,
  'proof.did-method': true,
  'proof.key': true,
  'proof.curve': true,
  'proof.iss': true,
  'proof.aud': true,
  'proof.iat': true,
  'proof.exp': true,
  'proof.nbf': true,
  'proof.nonce-missing': true,
  'proof.nonce': true,
  'proof.signature': true,
}

const now = 1_800_000_000
const credentialIssuer = 'https://issuer.test'
const audience = 'did:org:uc-pre:z1Verifier'
const curveOf = { ES256K: 'secp256k1', EdDSA: 'Ed25519' } as const
const algorithms = ['ES256K', 'EdDSA'] as const
type Algorithm = (typeof algorithms)[number]

function walletWith(algorithm: Algorithm, faults: readonly WalletFault[]) {
  const account = createAccount({ curve: curveOf[algorithm], seed: 'faults' })
  return createWallet({ account, faults, now: () => now })
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
  const { failures, holderDid } = verifyVpToken({ jws, audience, nonce: 'n', now })
  // Only the credential names its holder; the holder of the presentation must match it.
  const mismatch = holderDid === did ? [] : ['credential.holder']
  return [...failures.map(({ rule }) => rule), ...mismatch]
}

const fits = (algorithm: Algorithm) => (fault: WalletFault) =>
  !fault.algorithms || fault.algorithms.includes(algorithm)

describe.each(algorithms)('a wallet with %s', (algorithm) => {
  it('breaks no rule without a fault', async () => {
    const wallet = walletWith(algorithm, [])
    expect(brokenByProof(wallet)).toEqual([])
    expect(await brokenByPresentation(wallet)).toEqual([])
  })

  // What comes late is wrong only then.
  const proofs = allFaults
    .filter(({ apply, needs = [] }) => apply.proof && !needs.includes('clock'))
    .filter(fits(algorithm))
  it.each(proofs)('breaks at most one rule of a proof with $name', ({ name, expected }) => {
    const rule = expected.at === 'credential' ? expected.rule : undefined
    expect(rule === undefined).toBe(expected.at === 'nowhere')
    const broken = brokenByProof(walletWith(algorithm, findFaults([name])))
    expect(broken).toEqual(rule === undefined ? [] : [rule])
  })

  it('breaks several rules with several faults', async () => {
    const faults = findFaults([
      'presentation-wrong-aud',
      'presentation-wrong-nonce',
      'holder-mismatch',
      'proof-wrong-aud',
      'proof-wrong-typ',
      'proof-bad-signature',
    ])
    const wallet = walletWith(algorithm, faults)
    expect(await brokenByPresentation(wallet)).toEqual([
      'presentation.audience',
      'presentation.nonce',
      'credential.holder',
    ])
    expect(brokenByProof(wallet)).toEqual(['proof.typ', 'proof.aud', 'proof.signature'])
  })
})

describe('allFaults', () => {
  it('names each fault once, with what the wallet does', () => {
    for (const { name, description } of allFaults) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(description).toMatch(/^[A-Za-z].*\.$/)
      expect(findFault(name)?.name).toBe(name)
    }
    expect(new Set(allFaults.map(({ name }) => name)).size).toBe(allFaults.length)
    expect(allFaults.length).toBeGreaterThanOrEqual(60)
    expect(findFault('no-such-fault')).toBeUndefined()
  })

  it('breaks each rule of a proof and of a presentation with a separate fault', () => {
    const rules = allFaults.map(({ expected }) => ('rule' in expected ? expected.rule : undefined))
    expect(rules).toEqual(expect.arrayContaining(Object.keys(proofRules)))
    expect(rules).toEqual(expect.arrayContaining(vpTokenRules.map(({ rule }) => rule)))
  })

  it('changes at least one stage with each fault, and lists the members', () => {
    for (const { name, apply } of allFaults) {
      const changes = Object.values(apply)
      expect(changes.length, name).toBeGreaterThan(0)
      for (const { members } of changes) expect(members.length, name).toBeGreaterThan(0)
    }
  })

  it('sets only the listed members of a JWT', () => {
    const draft = {
      header: { alg: 'ES256K', typ: 'JWT', kid: 'did:key:a#a' },
      payload: {
        iss: 'a',
        aud: 'b',
        nonce: 'c',
        iat: 1,
        exp: 2,
        vp: { type: ['x'], verifiableCredential: ['a.b.c'] },
      },
      sign: () => new Uint8Array(64).fill(1),
    }
    const account = createAccount({ seed: 'one' })
    const otherAccount = createAccount({ seed: 'other' })
    const context = { account, otherAccount, now, wait: async () => undefined }
    for (const { name, apply } of allFaults) {
      for (const change of [apply.proof, apply.presentation].filter((each) => !!each)) {
        const changed = change.apply(draft, context)
        const set = (['header', 'payload'] as const).flatMap((part) => {
          const [before, after]: Record<string, unknown>[] = [draft[part], changed[part]]
          return Object.keys({ ...before, ...after })
            .filter((key) => before?.[key] !== after?.[key])
            .map((key) => `${part}.${key}`)
        })
        const isSigned = Buffer.from(changed.sign('x')).equals(Buffer.from(draft.sign()))
        const found = isSigned ? set : [...set, 'signature']
        const named = change.members.map((path) => path.split('.').slice(0, 2).join('.'))
        expect(named, name).toEqual(expect.arrayContaining(found))
      }
    }
  })
})

const account = createAccount({ seed: 'faults' })
const wallet = (...names: string[]) => createWallet({ account, faults: findFaults(names) })

describe('the faults of a wallet', () => {
  it.each([
    ['of several messages', ['pin-wrong', 'proof-wrong-aud', 'presentation-wrong-aud']],
    ['of several members', ['proof-wrong-aud', 'proof-wrong-nonce', 'proof-missing-typ']],
    ['of a message and how it is sent', ['token-json-body', 'token-code-reused', 'pin-wrong']],
    [
      'within one form',
      ['submission-wrong-path', 'submission-wrong-format', 'response-wrong-state'],
    ],
    ['of one body', ['credential-unknown-type', 'credential-other-format', 'proof-missing']],
  ])('can be combined: %s', (_, names) => {
    expect(wallet(...names).faults.map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['proof-wrong-aud', 'proof-missing-aud', 'proof.payload.aud'],
    ['proof-alg-none', 'proof-bad-signature', 'proof.signature'],
    ['holder-mismatch', 'presentation-other-iss', 'presentation.payload.iss'],
    // One within the other, in either order.
    ['submission-missing', 'submission-wrong-path', 'presentationResponse.presentation_submission'],
    ['submission-wrong-path', 'submission-missing', 'presentationResponse.presentation_submission'],
    ['bearer-missing', 'bearer-garbage', 'credentialCall.authorization'],
    ['proof-wrong-aud', 'proof-wrong-aud', 'proof.payload.aud'],
  ])('conflict with each other: %s and %s', (one, other, member) => {
    const refusal = expect.objectContaining({
      code: 'unfit_faults',
      message: `${one} and ${other} conflict with each other: both set ${member}.`,
    })
    expect(() => wallet(one, other)).toThrow(refusal)
  })

  it('must match the account’s curve', () => {
    const edwards = createAccount({ curve: 'Ed25519', seed: 'faults' })
    expect(() => wallet('proof-order-added')).toThrow(
      expect.objectContaining({ code: 'unfit_faults' }),
    )
    expect(() => requireCompatibleFaults(findFaults(['proof-der-signature']), edwards)).toThrow(
      expect.objectContaining({ code: 'unfit_faults' }),
    )
    expect(() => requireCompatibleFaults(findFaults(['proof-order-added']), edwards)).not.toThrow()
  })

  it('are each valid as the only fault of a wallet', () => {
    for (const fault of allFaults) {
      const curve = fault.algorithms?.includes('ES256K') === false ? 'Ed25519' : 'secp256k1'
      expect(() => requireCompatibleFaults([fault], createAccount({ curve }))).not.toThrow()
    }
  })
})

describe('faults of one request', () => {
  it.each([[['pin-guessed', 'token-json-body']], [['token-json-body', 'pin-guessed']]])(
    'send the same request in any order: %j',
    async (names) => {
      const bodies: string[] = []
      const sending = createWallet({
        account,
        faults: findFaults(names),
        http: {
          allowPrivateAddresses: true,
          fetch: async (_url, { body }) => {
            bodies.push(String(body))
            return Response.json({})
          },
        },
      })
      await sendWithFaults(sending, 'tokenCall', {
        url: 'http://127.0.0.1/token',
        method: 'POST',
        body: 'pre-authorized_code=code&tx_code=4935',
      })
      const sent = (pin: string) => ({ 'pre-authorized_code': 'code', tx_code: pin })
      expect(bodies.map((body) => JSON.parse(body))).toEqual([
        ...Array.from({ length: 5 }, () => sent('4931')),
        sent('4935'),
      ])
    },
  )
})

describe('findFaults', () => {
  it('returns faults in the order of the names', () => {
    const names = ['pin-wrong', 'bearer-missing']
    expect(findFaults(names).map(({ name }) => name)).toEqual(names)
    expect(findFaults([])).toEqual([])
  })

  it.each([
    ['pin-worng', 'pin-wrong'],
    ['presentation-wrong-audience', 'presentation-wrong-aud'],
    ['holdermismatch', 'holder-mismatch'],
  ])('suggests the nearest names for %s', (name, nearest) => {
    expect(() => findFaults(['pin-wrong', name])).toThrow(
      expect.objectContaining({
        code: 'unknown_fault',
        hints: [expect.stringMatching(`^Did you mean ${nearest}\\b`)],
      }),
    )
  })
})
