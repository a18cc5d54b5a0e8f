import { describe, expect, it } from 'vitest'
import { readOperatorKey } from '#conformance/kit/evidence/operator-key.ts'
import { signResult } from '#conformance/kit/evidence/signed-result.ts'
import { createSignedResultKind } from '#conformance/kit/evidence/verify-signed-result.ts'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { publicJwkOf } from '#core/crypto/jwk.ts'
import { explain } from '#core/explanation/explain.ts'
import { createConformanceResults, createMixedChecks } from '#test/support/results.ts'

const now = Date.parse('2026-11-21T10:05:00Z') / 1000
const resultsJson = Buffer.from(
  JSON.stringify(createConformanceResults({ scenarios: createMixedChecks() })),
)
const world = createTrustWorld({
  now,
  tirBaseUrl: 'http://tir.example',
  credentialIssuerUrl: 'http://issuer.example',
})
const { issuer } = world
const kid = issuer.kid
const key = readOperatorKey(JSON.stringify(issuer.privateKey), kid)
const jws = signResult({ resultsJson, key, now })

const explainWith = (against: Parameters<typeof createSignedResultKind>[0], isAsked = true) =>
  explain(jws, {
    now,
    furtherKinds: [createSignedResultKind(against)],
    ...(isAsked && { trust: { pre: { resolveDidDocument: world.sources.resolveDidDocument } } }),
  })

describe('a signed result, explained', () => {
  it('holds by the key that the DID registry has for its did:org', async () => {
    const { kind, verdict, facts } = await explainWith({ resultsJson })
    expect([kind, verdict]).toEqual(['signed-conformance-result', 'holds'])
    const value = (label: string) => facts.find((fact) => fact.label === label)?.value
    expect(value('Target')).toBe('Acme verifier')
    expect(value('Result')).toBe('1 FAIL, 1 WARN, 1 INCONCLUSIVE, 1 PASS, 1 not finished')
    expect(value('Failed')).toBe('V01')
    expect(value('By')).toBe(issuer.did)
  })

  it('is not checked where nobody can be asked, and broken by a key of somebody else', async () => {
    expect((await explainWith({ resultsJson }, false)).verdict).toBe('not-checked')
    const publicKey = publicJwkOf(world.root.privateKey)
    expect((await explainWith({ resultsJson, publicKey })).verdict).toBe('broken')
  })

  it('takes no key that the DID document has for other things than assertions', async () => {
    const resolveDidDocument: typeof world.sources.resolveDidDocument = async (did) => {
      const found = await world.sources.resolveDidDocument(did)
      return found.ok ? { ...found, value: { ...found.value, assertionMethod: [] } } : found
    }
    const { rules } = await explain(jws, {
      now,
      furtherKinds: [createSignedResultKind({ resultsJson })],
      trust: { pre: { resolveDidDocument } },
    })
    const broken = rules.filter(({ verdict }) => verdict === 'broken').map(({ rule }) => rule)
    expect(broken).toEqual(['signed-result.key'])
  })

  it('is not checked in full without its results.json', async () => {
    const { verdict, rules } = await explainWith({})
    expect(verdict).toBe('not-checked')
    expect(rules.filter((rule) => rule.verdict !== 'held').map(({ rule }) => rule)).toEqual([
      'signed-result.digest',
      'signed-result.verdicts',
    ])
  })

  it('is recognised by its typ alone', async () => {
    const { kind } = await explain(world.issue(), {
      now,
      furtherKinds: [createSignedResultKind({ resultsJson })],
    })
    expect(kind).not.toBe('signed-conformance-result')
  })
})
