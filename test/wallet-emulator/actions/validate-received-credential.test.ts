import { describe, expect, it } from 'vitest'
import { createTrustWorld, type TrustWorld } from '#conformance/world/create-trust-world.ts'
import {
  type ValidateReceivedCredentialOptions,
  validateReceivedCredential,
} from '#wallet-emulator/actions/validate-received-credential.ts'
import { createWallet } from '#wallet-emulator/create-wallet.ts'
import { createAccount } from '#wallet-emulator/keys/create-account.ts'

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential']
const account = createAccount({ seed: 'validate-received-credential' })

function openWorld() {
  const world = createTrustWorld()
  const { environment, tirBaseUrl, rootDids, credentialIssuerUrls } = world.policy
  const options = {
    types,
    ...world.sources,
    environment: { environment, tirBaseUrl, rootDids, credentialIssuerUrls },
  }
  return { world, options, payload: world.credentialPayload(account.did) }
}

function judge(world: TrustWorld, credential: string, options: ValidateReceivedCredentialOptions) {
  const fetch = () => expect.unreachable('everything was looked up in the world of this test')
  const wallet = createWallet({ account, now: () => world.now, http: { fetch } })
  return validateReceivedCredential(wallet, credential, options)
}

const rulesOf = (failures: readonly { readonly rule: string }[]) => [
  ...new Set(failures.map(({ rule }) => rule)),
]

describe('validateReceivedCredential', () => {
  it('accepts a credential that passes every rule, and names the rules', async () => {
    const { world, options, payload } = openWorld()
    const verdict = await judge(world, world.issue(payload), options)
    expect(verdict).toMatchObject({ verdict: 'accepted', failures: [], unchecked: [] })
    const names = rulesOf(verdict.checked)
    for (const rule of [
      'credential.context',
      'credential.type-chain',
      'credential.holder',
      'credential.expiry',
      'credential.signature',
      'credential.status',
      'credential.terms-of-use',
      'trust.not-revoked',
      'trust.signature',
      'trust.root',
    ]) {
      expect(names).toContain(rule)
    }
    expect(verdict.checked.every(({ passed }) => passed)).toBe(true)
  })

  type Vc = ReturnType<TrustWorld['credentialPayload']>['vc']
  // The wallet plan of the conformance kit breaks the other rules.
  const broken: readonly [
    string,
    readonly string[],
    (world: TrustWorld, vc: Vc) => object | undefined,
  ][] = [
    [
      'revoked',
      ['credential.status'],
      (world) => {
        world.publishStatusList([7])
        return undefined
      },
    ],
    [
      'that points into another TIR',
      ['credential.terms-of-use'],
      (_, vc) => ({ termsOfUse: { ...vc.termsOfUse, id: 'https://other.example/tir' } }),
    ],
  ]

  it.each(broken)('rejects one %s', async (_, rules, change) => {
    const { world, options, payload } = openWorld()
    const members = change(world, payload.vc) ?? {}
    const credential = world.issue({ ...payload, vc: { ...payload.vc, ...members } })
    const verdict = await judge(world, credential, options)
    expect(verdict.verdict).toBe('refused')
    expect(rulesOf(verdict.failures)).toEqual(rules)
    expect(verdict.unchecked).toEqual([])
  })

  it('rejects a valid credential of another holder', async () => {
    const { world, options } = openWorld()
    const verdict = await judge(
      world,
      world.issue(world.credentialPayload('did:key:zOther')),
      options,
    )
    expect(verdict.verdict).toBe('refused')
    expect(rulesOf(verdict.failures)).toEqual(['credential.holder'])
  })

  describe('if a lookup fails', () => {
    const services = [
      ['tir', ['trust.attribute']],
      ['status-list', ['credential.status']],
      [
        'did-registry',
        [
          'credential.issuer-document',
          'credential.issuer-key',
          'credential.signature',
          'credential.status',
          'trust.signature',
        ],
      ],
    ] as const

    it.each(services)(
      '%s: no rule is reported as broken, and the verdict is not valid',
      async (service, rules) => {
        const { world, options, payload } = openWorld()
        world.unavailable.add(service)
        const verdict = await judge(world, world.issue(payload), options)
        expect(verdict).toMatchObject({ verdict: 'refused', failures: [] })
        expect(rulesOf(verdict.unchecked)).toEqual(rules)
      },
    )

    it.each(services)('%s: the policy may warn or accept', async (service) => {
      const { world, options, payload } = openWorld()
      world.unavailable.add(service)
      const credential = world.issue(payload)
      const verdictBy = async (reaction: 'warn' | 'accept') =>
        (await judge(world, credential, { ...options, policy: { unavailable: reaction } })).verdict
      expect(await verdictBy('warn')).toBe('accepted-with-warnings')
      expect(await verdictBy('accept')).toBe('accepted')
    })

    it('a broken rule still leads to a rejection', async () => {
      const { world, options, payload } = openWorld()
      world.unavailable.add('tir')
      world.publishStatusList([7])
      const policy = { unavailable: 'accept' } as const
      const verdict = await judge(world, world.issue(payload), { ...options, policy })
      expect(verdict.verdict).toBe('refused')
      expect(rulesOf(verdict.failures)).toEqual(['credential.status'])
    })
  })

  it('reports what it could not check without services, and sends no request', async () => {
    const { world, payload } = openWorld()
    const credential = world.issue(payload)
    const alone = await judge(world, credential, { types })
    expect(alone).toMatchObject({ verdict: 'accepted-with-warnings', failures: [] })
    expect(alone.unchecked.map(({ unchecked }) => unchecked)).not.toContain('unavailable')
    expect(rulesOf(alone.unchecked)).toEqual(
      expect.arrayContaining(['credential.signature', 'credential.terms-of-use']),
    )
    expect(world.asked).toEqual([])
    const strict = await judge(world, credential, { types, policy: { notAsked: 'refuse' } })
    expect(strict.verdict).toBe('refused')
  })

  it('uses the most specific pattern of a policy', async () => {
    const { world, options, payload } = openWorld()
    world.publishStatusList([7])
    const credential = world.issue(payload)
    const verdictBy = async (broken: Readonly<Record<string, 'refuse' | 'warn' | 'accept'>>) =>
      (await judge(world, credential, { ...options, policy: { broken } })).verdict
    expect(await verdictBy({ '*': 'accept' })).toBe('accepted')
    expect(await verdictBy({ '*': 'accept', 'credential.*': 'warn' })).toBe(
      'accepted-with-warnings',
    )
    expect(await verdictBy({ '*': 'accept', 'credential.status': 'refuse' })).toBe('refused')
    expect(await verdictBy({ 'trust.*': 'accept' })).toBe('refused')
    expect(await verdictBy({ 'credential.constructor': 'accept' })).toBe('refused')
  })

  it('checks against the offered types', async () => {
    const { world, options, payload } = openWorld()
    const credential = world.issue(payload)
    const other = ['VerifiableCredential', 'OtherCredential']
    const verdict = await judge(world, credential, { ...options, types: other })
    expect(rulesOf(verdict.failures)).toContain('credential.type')
    expect(rulesOf(verdict.failures)).toContain('trust.accredited-for')
  })
})
