import { describe, expect, it } from 'vitest'
import { readOperatorKey } from '#conformance/kit/evidence/operator-key.ts'
import { sha256Of } from '#conformance/kit/evidence/signed-result.ts'
import { createStatement, zStatement } from '#conformance/kit/evidence/statement.ts'
import { renderStatement } from '#conformance/kit/evidence/statement-markdown.ts'
import {
  createStatementKind,
  type SignStatementOptions,
  signStatement,
} from '#conformance/kit/evidence/verify-statement.ts'
import { createPrivateJwk, publicJwkOf } from '#core/crypto/jwk.ts'
import { signJws } from '#core/crypto/jws.ts'
import { explain } from '#core/explanation/explain.ts'
import type { Conformance, ScenarioResult, Verdict } from '#scenarios/harness/z-results.ts'
import {
  createCheckResult,
  createConformanceResults,
  createMixedChecks,
} from '#test/support/results.ts'

const product = { name: 'Acme Suite', version: '2.1', vendor: 'Acme' }
const now = Date.parse('2026-11-23T10:00:00Z') / 1000

interface RunOptions {
  readonly day?: number
  readonly checks?: readonly (readonly [id: string, verdict: Verdict, reason?: string])[]
  readonly scenarios?: ScenarioResult[]
  readonly pattern?: string
  readonly conformance?: Partial<Conformance>
  readonly unstable?: boolean
}

function createRun({ day = 20, checks = [], scenarios, pattern, ...options }: RunOptions = {}) {
  const { conformance, unstable } = options
  const results = createConformanceResults({
    startedAt: `2026-11-${day}T10:00:00.000Z`,
    ...(pattern === undefined ? {} : { pattern }),
    ...(conformance && { conformance }),
    scenarios:
      scenarios ??
      checks.map(([id, verdict, reason = `${verdict} on day ${day}`]) =>
        createCheckResult({ verdict, check: { id, reason, ...(unstable && { unstable }) } }),
      ),
  })
  return { results, resultsJson: Buffer.from(JSON.stringify(results)) }
}

type Run = ReturnType<typeof createRun>

const mergedPlan = (...runs: Run[]) => {
  const [plan] = createStatement({ product, runs }).plans
  if (plan === undefined) throw new Error('there is no plan')
  return plan
}

const digest = ({ resultsJson }: Run) => sha256Of(resultsJson)

describe('createStatement', () => {
  it('lists product, plans, runs with their SHA-256, and each check', () => {
    const run = createRun({ scenarios: createMixedChecks() })
    const statement = createStatement({ product, runs: [run] })
    expect(statement).toMatchObject({ schema_version: 1, product })
    const [plan] = statement.plans
    expect(plan).toMatchObject({
      plan: 'verifier',
      strict: false,
      whole: true,
      counts: { passed: 1, failed: 1, warned: 1, inconclusive: 1, skipped: 1 },
      runs: [
        {
          file: 'results-verifier-1.json',
          sha256: digest(run),
          target: { name: 'Acme verifier' },
          kit: { version: '0.7.0' },
        },
      ],
    })
    expect(plan?.checks[2]).toEqual({
      id: 'V03',
      level: 'spec',
      title: 'A presentation whose signature is wrong is refused',
      verdict: 'inconclusive',
      reason: 'The target has no clock: add the verb set-clock',
      run: 'results-verifier-1.json',
    })
    expect(zStatement.parse(JSON.parse(JSON.stringify(statement)))).toEqual(statement)
  })

  it('does not depend on the order of the runs, and orders plans and checks', () => {
    const runs = [
      createRun({ day: 22, checks: [['V10', 'passed']], pattern: 'V10' }),
      createRun({
        day: 21,
        checks: [
          ['V100', 'passed'],
          ['V9', 'passed'],
        ],
      }),
      createRun({ day: 20, conformance: { plan: 'wallet' }, checks: [['W01', 'passed']] }),
    ]
    const statement = createStatement({ product, runs })
    expect(createStatement({ product, runs: runs.toReversed() })).toEqual(statement)
    expect(statement.plans.map(({ plan }) => plan)).toEqual(['wallet', 'verifier'])
    expect(statement.plans[1]?.checks.map(({ id }) => id)).toEqual(['V9', 'V10', 'V100'])
    expect(statement.plans[1]?.runs.map(({ started_at }) => started_at.slice(8, 10))).toEqual([
      '21',
      '22',
    ])
  })

  it.each<[string, Verdict[], Partial<ReturnType<typeof mergedPlan>['checks'][number]>]>([
    [
      'a later decision instead of none',
      ['inconclusive', 'passed'],
      { verdict: 'passed', reason: 'passed on day 21' },
    ],
    [
      'an earlier decision instead of none',
      ['failed', 'inconclusive'],
      { verdict: 'failed', reason: 'failed on day 20' },
    ],
    [
      'the newest of equal decisions',
      ['passed', 'passed'],
      { verdict: 'passed', reason: 'passed on day 21', run: 'results-verifier-2.json' },
    ],
    [
      'the newest reason if nothing decided it',
      ['not-run', 'inconclusive'],
      { verdict: 'inconclusive', reason: 'inconclusive on day 21' },
    ],
  ])('uses %s', (_, verdicts, expected) => {
    const runs = verdicts.map((verdict, at) =>
      createRun({ day: 20 + at, checks: [['V01', verdict]] }),
    )
    const [check] = mergedPlan(...runs).checks
    expect(check).toMatchObject(expected)
    expect(check).not.toHaveProperty('unstable')
  })

  it.each<[Verdict, Verdict, Verdict, string]>([
    ['passed', 'failed', 'failed', 'failed on day 21'],
    ['failed', 'passed', 'failed', 'failed on day 20'],
    ['warned', 'passed', 'warned', 'warned on day 20'],
  ])('counts the worst of %s and %s, and shows both', (first, second, verdict, reason) => {
    const runs = [
      createRun({ day: 20, checks: [['V01', first]] }),
      createRun({ day: 21, checks: [['V01', second]] }),
    ]
    const { checks, counts } = mergedPlan(...runs)
    expect(checks).toMatchObject([{ verdict, reason, unstable: true }])
    expect(checks[0]?.contradiction).toEqual([
      { verdict: first, reason: `${first} on day 20`, run: 'results-verifier-1.json' },
      { verdict: second, reason: `${second} on day 21`, run: 'results-verifier-2.json' },
    ])
    expect(counts).toMatchObject({ [verdict]: 1, passed: 0 })
  })

  it('keeps that a check was unstable in an earlier run', () => {
    const before = createRun({ day: 20, checks: [['V01', 'failed']], unstable: true })
    const after = createRun({ day: 21, checks: [['V01', 'failed']] })
    expect(mergedPlan(before, after).checks).toMatchObject([
      { unstable: true, reason: 'failed on day 21' },
    ])
  })

  it('says whether a run selected every check of the plan', () => {
    const part = createRun({ checks: [['V01', 'passed']], pattern: '^V01$' })
    expect(mergedPlan(part)).toMatchObject({ whole: false, runs: [{ selection: '^V01$' }] })
    const all = createRun({ day: 21, checks: [['V01', 'passed']] })
    expect(mergedPlan(part, all).whole).toBe(true)
  })

  it.each([
    ['the same file twice', [createRun(), createRun()]],
    [
      'runs of which only some are strict',
      [createRun({ conformance: { strict: true } }), createRun({ day: 21 })],
    ],
    ['a plan that does not exist', [createRun({ conformance: { plan: 'printer' } })]],
  ])('rejects %s', (_, runs) => {
    expect(() => createStatement({ product, runs })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })
})

describe('renderStatement', () => {
  const runs = [
    createRun({ day: 20, scenarios: createMixedChecks(), pattern: 'V' }),
    createRun({ day: 21, checks: [['V04', 'failed', 'It was accepted | twice']], pattern: 'V04' }),
  ]
  const text = renderStatement(createStatement({ product: { ...product, name: 'A|B' }, runs }))

  it('has one table with a row for each plan', () => {
    expect(text.match(/^\| --- .*$/gm)).toHaveLength(1)
    expect(text).toContain('| verifier (part) | 2026-11-21 | 5 | 0 | 2 | 1 | 2 |')
    expect(text).toContain('from 2026-11-20 to 2026-11-21')
  })

  it('names what failed, what is undecided and why, and what is unstable', () => {
    const sections = text.split(/^## /m)
    const section = (title: string) => sections.find((each) => each.startsWith(`${title}\n`)) ?? ''
    expect(section('FAIL')).toContain('It was accepted \\| twice')
    expect(section('Not decided')).toContain('The target has no clock: add the verb set-clock')
    expect(section('Unstable')).toContain(
      'PASS in results-verifier-1.json, FAIL in results-verifier-2.json',
    )
    for (const run of runs) expect(section('Runs')).toContain(digest(run))
  })

  it('escapes names, and warns that only a part of the plan was run', () => {
    expect(text).toContain('# Conformance statement: A\\|B 2.1')
    expect(text).toContain('> Only a part of the verifier plan was run.')
    expect(text).toContain('> The product gave different responses to the same check: V04.')
  })
})

describe('a signed statement', () => {
  const privateJwk = createPrivateJwk('Ed25519', Buffer.alloc(32, 7))
  const key = readOperatorKey(JSON.stringify(privateJwk))
  const other = readOperatorKey(JSON.stringify(createPrivateJwk('Ed25519', Buffer.alloc(32, 9))))
  const runs = [
    createRun({ day: 20, scenarios: createMixedChecks() }),
    createRun({ day: 21, checks: [['V03', 'passed']] }),
  ]
  const statement = createStatement({ product, runs })
  const files = {
    'statement.json': Buffer.from(JSON.stringify(statement)),
    'statement.md': Buffer.from(renderStatement(statement)),
  } satisfies SignStatementOptions['files']
  const folder: Readonly<Record<string, Uint8Array>> = {
    ...files,
    'results-verifier-1.json': runs[0]?.resultsJson ?? Buffer.of(),
    'results-verifier-2.json': runs[1]?.resultsJson ?? Buffer.of(),
  }
  const jws = signStatement({ statement, files, key, now })
  const payload = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())

  /** A statement with a different payload or header, signed with the same key. */
  const forge = (change: object, header: object = {}) =>
    signJws({
      header: { alg: 'EdDSA', typ: 'conformance-statement+jwt', kid: key.kid, ...header },
      payload: { ...payload, ...change },
      privateKey: privateJwk,
    })

  async function verify(
    compact: string,
    {
      beside = folder,
      by = key,
      at = now,
    }: { beside?: typeof folder; by?: typeof key; at?: number } = {},
  ) {
    const asked: string[] = []
    const { verdict, rules } = await explain(compact, {
      now: at,
      furtherKinds: [
        createStatementKind({
          publicKey: publicJwkOf(by.privateKey),
          readBeside: async (name) => {
            asked.push(name)
            return beside[name]
          },
        }),
      ],
    })
    const of = (wanted: string) =>
      rules.filter((rule) => rule.verdict === wanted).map(({ rule }) => rule)
    return { verdict, broken: of('broken'), unchecked: of('not-checked'), asked }
  }

  it('passes every rule with its files, and reads only these', async () => {
    expect(await verify(jws)).toEqual({
      verdict: 'holds',
      broken: [],
      unchecked: [],
      asked: [
        'statement.json',
        'statement.md',
        'results-verifier-1.json',
        'results-verifier-2.json',
      ],
    })
  })

  it('rejects another key', async () => {
    const { broken, verdict } = await verify(jws, { by: other })
    expect([verdict, broken]).toEqual(['broken', ['signed-result.key']])
  })

  it.each(Object.keys(folder))('rejects a changed %s', async (name) => {
    const beside = {
      ...folder,
      [name]: Buffer.concat([folder[name] ?? Buffer.of(), Buffer.of(32)]),
    }
    const { broken } = await verify(jws, { beside })
    expect(broken).toEqual(
      // The rebuilt statement has a different SHA-256 of the run.
      name.startsWith('results-') ? ['statement.files', 'statement.verdicts'] : ['statement.files'],
    )
  })

  it.each(Object.keys(folder))('does not pass as a whole without %s', async (name) => {
    const { [name]: _, ...beside } = folder
    const { verdict, broken, unchecked } = await verify(jws, { beside })
    expect([verdict, broken]).toEqual(['not-checked', []])
    expect(unchecked).toContain('statement.files')
  })

  const [plan] = statement.plans
  const better = plan?.checks.map((check) => ({ ...check, verdict: 'passed' }))
  it.each<[string, object, string[]]>([
    ['other verdicts', { plans: [{ ...plan, checks: better }] }, ['counts', 'verdicts']],
    [
      'other verdicts with their counts',
      {
        plans: [
          {
            ...plan,
            checks: better,
            counts: { passed: 5, failed: 0, warned: 0, inconclusive: 0, skipped: 0 },
          },
        ],
      },
      ['verdicts'],
    ],
    ['the whole plan', { plans: [{ ...plan, whole: false }] }, ['verdicts']],
    ['a time before its newest run', { iat: now - 3 * 86_400 }, ['iat']],
    ['a time in the future', { iat: now + 120 }, ['iat']],
    ['no product', { product: undefined }, ['payload']],
    [
      'a file of another folder',
      { plans: [{ ...plan, runs: [{ ...plan?.runs[0], file: '../../etc/passwd' }] }] },
      ['payload'],
    ],
  ])('rejects %s that the results do not support', async (_, change, broken) => {
    const found = await verify(forge(change))
    expect(found.broken).toEqual(broken.map((rule) => `statement.${rule}`))
    expect(found.asked).not.toContain('../../etc/passwd')
  })

  it('rejects a changed product, issuer or key', async () => {
    const [header, body] = forge({ product: { ...product, version: '3.0' } }).split('.')
    const [, , signature] = jws.split('.')
    expect((await verify(`${header}.${body}.${signature}`)).broken).toContain(
      'signed-result.signature',
    )
    expect((await verify(forge({ iss: 'did:org:uc-pre:z1' }))).broken).toEqual([
      'signed-result.iss',
    ])
    const forged = await verify(forge({}, { kid: other.kid }), { by: other })
    expect(forged.broken).toEqual(['signed-result.signature', 'signed-result.iss'])
  })
})
