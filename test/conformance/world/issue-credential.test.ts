import { describe, expect, it } from 'vitest'
import {
  createHolder,
  createTrustWorld,
  type TrustWorld,
} from '#conformance/world/create-trust-world.ts'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { issueCredential } from '#conformance/world/issue-credential.ts'
import { registerIssuer } from '#conformance/world/register-issuer.ts'
import { verifyLearCredential } from '#core/lear-credential/verify-lear-credential.ts'

const { did: holderDid } = createHolder('of this test')

const createWorld = () =>
  createTrustWorld({ tirBaseUrl: 'https://kit.example/trusted-issuers-registry' })

async function brokenRules(world: TrustWorld, credential: string) {
  const { now, policy, sources } = world
  const result = await verifyLearCredential({ credential, holderDid, policy, now, ...sources })
  return [...new Set(result.failures.map(({ rule }) => rule))].sort()
}

describe('a credential of the trust world', () => {
  it('is good without a defect, of its own issuer and of a new one', async () => {
    const world = createWorld()
    const { now } = world
    expect(await brokenRules(world, issueCredential(world, { holderDid, now }))).toEqual([])
    const issuer = registerIssuer(world)
    expect(await brokenRules(world, issueCredential(world, { holderDid, now, issuer }))).toEqual([])
  })

  it.each(allDefects.map((defect) => [defect.name, defect] as const))(
    'with the defect %s breaks just the rules that it names, as on the chain',
    async (_name, defect) => {
      const world = createWorld()
      const credential = issueCredential(world, { holderDid, now: world.now, defect })
      const { rule, entails = [] } = defect
      const expected = rule === undefined ? [] : [rule, ...entails].sort()
      expect(await brokenRules(world, credential)).toEqual(expected)
    },
  )
})
