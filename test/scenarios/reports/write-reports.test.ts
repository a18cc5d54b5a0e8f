import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createAnnotations } from '#scenarios/reports/create-annotations.ts'
import { createDifference } from '#scenarios/reports/create-difference.ts'
import { createJunit } from '#scenarios/reports/create-junit.ts'
import { createPage } from '#scenarios/reports/create-page.ts'
import { createSummary } from '#scenarios/reports/create-summary.ts'
import {
  createValueTable,
  decodeToken,
  packRun,
  replaceTokens,
} from '#scenarios/reports/pack-run.ts'
import { tallyResults } from '#scenarios/reports/verdicts.ts'
import {
  createCheckResult,
  createConformanceResults,
  createMixedChecks,
  createScenarioHop,
  createScenarioResult,
} from '#test/support/results.ts'
import { linearGrowth, measureGrowth } from '#test/support/timing.ts'

const unpack = (text: string) => JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString())
const body = { claims: 'the same for all' }
const scenario = (name: string, own: string) =>
  createScenarioResult({
    name,
    hops: [
      createScenarioHop({ responseBody: body }),
      createScenarioHop({ responseBody: body }),
      createScenarioHop({ status: 404, requestBody: { own } }),
    ],
  })

describe('packRun', () => {
  it('stores shared values once, and separate values with each scenario', () => {
    const { shared, scenarios } = packRun([scenario('one', 'a'), scenario('other', 'b')])
    expect(Object.values(unpack(shared))).toEqual([{ body }])
    const [one, other] = scenarios.map(unpack)
    expect(Object.values(one.values)).toEqual([{ body: { own: 'a' } }])
    expect(Object.values(other.values)).toEqual([{ body: { own: 'b' } }])
    expect(one.head.groups).toEqual([2, 1])
    expect(unpack(shared)[one.head.hops[0].response]).toEqual({ body })
    expect(one.head.hops[1].response).toBe(one.head.hops[0].response)
  })

  it('includes rules, and omits what a report does not show', () => {
    const rules = [{ rule: 'vp.nonce', passed: false, reasons: ['another one'] }]
    const hop = createScenarioHop({ rules, requestId: 'request-id', scenarioId: 'scenario-id' })
    const [packed = ''] = packRun([createScenarioResult({ hops: [hop] })]).scenarios
    const { head, values } = unpack(packed)
    expect(values[head.hops[0].rules]).toEqual(rules)
    expect(JSON.stringify(head)).not.toMatch(/request-id|scenario-id/)
  })

  it('is empty for a scenario without hops', () => {
    expect(packRun([createScenarioResult()]).scenarios).toEqual([''])
  })
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (payload: object) => `${encode({ alg: 'ES256K' })}.${encode(payload)}`

describe('createValueTable', () => {
  it('keeps equal values once', () => {
    const table = createValueTable()
    const first = table.add({ body: { a: 1 } })
    expect(table.add({ body: { a: 2 } })).not.toBe(first)
    expect(table.add({ body: { a: 1 } })).toBe(first)
    expect(JSON.parse(table.jsonOf(first))).toEqual({ body: { a: 1 } })
  })

  it('decodes a token once, regardless of occurrences and signatures', () => {
    const table = createValueTable()
    const token = tokenOf({ iss: 'joe' })
    const one = table.add({ credential: `${token}.…` })
    const other = table.add([`openid4vp://?request=${token}.signature`, `${token}.…`])
    const reached = table.reach([one, other])
    expect(reached.size).toBe(3)
    const [decoded] = [...reached].filter((number) => number !== one && number !== other)
    expect(JSON.parse(table.jsonOf(decoded ?? -1))).toEqual({
      header: { alg: 'ES256K' },
      payload: { iss: 'joe' },
    })
    expect(table.jsonOf(one)).not.toContain('eyJ')
    expect(table.jsonOf(other)).toContain('openid4vp://?request=')
  })

  it('reaches a token within a token', () => {
    const table = createValueTable()
    const inner = tokenOf({ sub: 'inner' })
    const number = table.add({ vp_token: tokenOf({ vp: { verifiableCredential: [inner] } }) })
    const texts = [...table.reach([number])].map((each) => table.jsonOf(each))
    expect(texts).toHaveLength(3)
    expect(texts.some((text) => text.includes('"sub":"inner"'))).toBe(true)
  })

  it('does not accept a reference from a message: it would show the token of another one', () => {
    const table = createValueTable()
    table.add({ credential: tokenOf({ secret: 'x' }) })
    const forged = table.add({ '\uE0000\uE001': ['\uE0000\uE001'] })
    expect(table.reach([forged]).size).toBe(1)
    expect(table.jsonOf(forged)).toBe('{"\uFFFD0\uFFFD":["\uFFFD0\uFFFD"]}')
  })

  it('cuts deep nesting in a token, which no page could show', () => {
    const table = createValueTable()
    const payload = Buffer.from(`{"deep":${'['.repeat(9000)}${']'.repeat(9000)}}`)
    const number = table.add({ token: `${encode({ alg: 'x' })}.${payload.toString('base64url')}` })
    const [, decoded = ''] = [...table.reach([number])].map((each) => table.jsonOf(each))
    expect(decoded).toContain('"…"')
    expect(decoded.length).toBeLessThan(300)
  })
})

// RFC 7515, appendix A.1: header and payload of the first example.
const rfc7515 =
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'

describe('decodeToken', () => {
  it.each([
    ['with its signature', `${rfc7515}.dBjftJeZ4CVP`],
    ['with a truncated signature', `${rfc7515}.…`],
    ['without one', rfc7515],
  ])('decodes a token %s', (_, token) => {
    expect(decodeToken(token)).toEqual({
      header: { typ: 'JWT', alg: 'HS256' },
      payload: { iss: 'joe', exp: 1300819380, 'http://example.com/is_root': true },
    })
  })

  it.each(['eyJub.eyJub', 'eyJ.x', 'eyJhIjoxfQ.WzFd', ''])('ignores %j', (text) => {
    expect(decodeToken(text)).toBeUndefined()
  })
})

describe('replaceTokens', () => {
  it('replaces only the tokens in a string, with their signatures', () => {
    const text = `openid4vp://?request=${rfc7515}.sig and ${rfc7515}.… eyJ`
    expect(replaceTokens(text, () => 'T')).toBe('openid4vp://?request=T and T eyJ')
  })

  it('takes linear time for values that only look like tokens', () => {
    const create = (size: number) => 'eyJ-'.repeat(size / 4)
    const growth = measureGrowth(create, (text) => replaceTokens(text, () => undefined))
    expect(growth).toBeLessThan(linearGrowth)
  })

  it('leaves tokens without a replacement unchanged', () => {
    expect(replaceTokens(`x ${rfc7515}`, () => undefined)).toBe(`x ${rfc7515}`)
  })
})

const results = createConformanceResults({ scenarios: createMixedChecks() })
const fix = 'Fix: Verify the signature of vp_token with the key of its kid, and answer 400.'

describe('the tally of checks', () => {
  it('counts warnings and inconclusive checks as neither passed nor failed', () => {
    expect(tallyResults(results)).toEqual({
      passed: 1,
      failed: 1,
      warned: 1,
      inconclusive: 1,
      skipped: 1,
    })
  })
})

describe('JUnit of checks', () => {
  const junit = createJunit(results)
  const caseOf = (id: string) =>
    [...junit.matchAll(/<testcase .*?<\/testcase>/gs)]
      .map(([found]) => found)
      .find((found) => found.includes(`name="${id}: `)) ?? expect.unreachable()

  it('counts failures, and counts inconclusive checks and those that have not run as skipped', () => {
    expect(junit).toContain('<testsuites name="conformance" tests="5" failures="1" errors="0"')
    expect(junit).toContain(
      'name="conformance.verifier" tests="5" failures="1" errors="0" skipped="2"',
    )
    expect(junit).toContain('<property name="target" value="Acme verifier"/>')
    expect(junit).toContain(
      '<property name="address of the verifier" value="https://verifier.example"/>',
    )
  })

  it('reports a FAIL as a failure with the text of the rule and the command to repeat it', () => {
    const text = caseOf('V01')
    expect(text).toContain('<failure type="check_broken"')
    expect(text).toContain('Rule 1.verification/row.3: The signature of the VP is verified.')
    expect(text).toContain('Source of the verdict: status poll: $.status = FAILED')
    expect(text).toContain('wallet → verifier under test: POST /responses/1, 200')
    expect(text).toContain('^V01$')
  })

  it('shows the fix of a FAIL and of a WARN, and of no other check', () => {
    expect(caseOf('V01')).toContain(fix)
    expect(caseOf('V02')).toContain(fix)
    expect(junit.split('Fix: ')).toHaveLength(3)
  })

  it('reports a WARN as passed, with a note', () => {
    const text = caseOf('V02')
    expect(text).not.toMatch(/<failure|<skipped/)
    expect(text).toMatch(/<system-out>WARN: The verifier answers after 9 s/)
  })

  it('skips an INCONCLUSIVE check, with the reason', () => {
    expect(caseOf('V03')).toContain(
      '<skipped message="inconclusive: The target has no clock: add the verb set-clock">',
    )
    expect(caseOf('V04')).not.toMatch(/<failure|<skipped/)
  })

  it('reports a run with too few results as an error, in JUnit and as an annotation', () => {
    const scenarios = ['V01', 'V02'].map((id) => createCheckResult({ verdict: 'inconclusive', id }))
    const run = createConformanceResults({ scenarios })
    expect(createAnnotations(run)[0]).not.toContain('::error')
    const conformance = run.conformance && { ...run.conformance, blocked: 2 }
    const blocked = { ...run, conformance, warnings: ['Repair the offers first.'] }
    const text = createJunit(blocked)
    expect(text).toContain('<testsuites name="conformance" tests="3" failures="0" errors="1"')
    expect(text).toMatch(/<error type="blocked"[^>]*>Repair the offers first.</)
    expect(createAnnotations(blocked)[0]).toBe(
      '::error title=Most checks have no result::Repair the offers first.',
    )
  })

  it('reports an internal error of the kit as an error', () => {
    const failure = { code: 'kit_error', message: 'x is undefined' }
    const check = createCheckResult({ verdict: 'inconclusive', failure })
    const text = createJunit(createConformanceResults({ scenarios: [check] }))
    expect(text).toContain('tests="1" failures="0" errors="1" skipped="0"')
    expect(text).toMatch(/<error type="kit_error"[^>]*>x is undefined/)
    expect(text).not.toContain('<skipped')
    expect(text).not.toContain('Fix: ')
  })
})

it.each([
  ['did-registry', 'Conformance of the DID registry'],
  ['idp', 'Conformance of the IDP'],
  ['tir', 'Conformance of the TIR'],
  ['planet', 'Conformance of the planet'],
])('the titles of the reports of the plan %s name its system', (plan, title) => {
  const ofPlan = createConformanceResults({ scenarios: [], conformance: { plan } })
  expect(createSummary(ofPlan).split('\n')[0]).toContain(`${title}: `)
  expect(createPage(ofPlan)).toMatch(new RegExp(`<title>[^<]* · ${title}</title>[^]*>${title}<`))
})

describe('the summary of checks', () => {
  const summary = createSummary(results)

  it('begins with plan, counts and target, then a table by verdict', () => {
    expect(summary.split('\n')[0]).toBe(
      '# ❌ Conformance of the verifier: 1 FAIL, 1 WARN, 1 INCONCLUSIVE, 1 PASS, 1 not finished',
    )
    expect(summary).toContain('Target: **Acme verifier**, version 3 on the staging server')
    expect(summary).toContain('- verifier: https://verifier.example')
    expect(summary).toContain('| INCONCLUSIVE | 1 | ')
  })

  it('explains failures and warnings, then lists missing checks, then folds passed ones', () => {
    const order = [
      '### FAIL V01',
      '> The signature of the VP',
      '### WARN V02',
      '### INCONCLUSIVE',
      'add the verb set-clock',
      '<details>',
      '| V04 |',
    ]
    const positions = order.map((text) => summary.indexOf(text))
    expect(positions).not.toContain(-1)
    expect(positions).toEqual(positions.toSorted((one, other) => one - other))
    expect(summary).toContain("Repeat: `testbed conformance verifier '^V01$'")
  })

  it('shows the fix of failures and warnings below the reason', () => {
    const shown = fix.replaceAll('_', '\\_')
    expect(summary).toContain(`**The presentation was accepted: HTTP 200**\n\n${shown}\n`)
    expect(summary).toContain(`**The verifier answers after 9 s**\n\n${shown}\n`)
    expect(summary.split('Fix: ')).toHaveLength(3)
  })

  it('shows the output of a system as text', () => {
    const hostile = '</details> | `x` <img> **bold**'
    const check = createCheckResult({ verdict: 'inconclusive', check: { reason: hostile } })
    const summaryText = createSummary(createConformanceResults({ scenarios: [check] }))
    expect(summaryText).not.toContain('<img>')
    expect(summaryText).not.toContain('</details> |')
    expect(summaryText).toMatch(/^# ⚠️/)
  })

  it('reports success only if all checks passed', () => {
    expect(createSummary(createConformanceResults())).toMatch(/^# ✅ .*: 0 FAIL, .* 1 PASS\n/)
  })
})

describe('annotations of checks', () => {
  it('are errors, warnings and notices, without a place in the repository', () => {
    const lines = createAnnotations(results)
    expect(lines.map((line) => line.split('::')[1])).toEqual([
      'error title=FAIL V01%3A A presentation whose signature is wrong is refused',
      'warning title=WARN V02%3A A presentation whose signature is wrong is refused',
      'notice title=INCONCLUSIVE V03%3A A presentation whose signature is wrong is refused',
    ])
    expect(lines[0]).toContain('Rule: The signature of the VP is verified.')
    expect(lines.map((line) => line.includes(fix))).toEqual([true, true, false])
  })

  it('are at most ten of a kind', () => {
    const many = Array.from({ length: 15 }, (_, number) =>
      createCheckResult({ verdict: 'warned', name: `V${number + 10}-x` }),
    )
    const lines = createAnnotations({ scenarios: many })
    expect(lines).toHaveLength(10)
    expect(lines[9]).toContain('verifier/V24-x')
  })
})

describe('the difference of checks', () => {
  it.each([
    ['passed', 'warned', 'newly-warned'],
    ['passed', 'inconclusive', 'undecided'],
    ['warned', 'failed', 'newly-failing'],
    ['warned', 'passed', 'fixed'],
    ['inconclusive', 'failed', 'newly-failing'],
    ['inconclusive', 'passed', 'decided'],
    ['failed', 'inconclusive', 'undecided'],
    ['inconclusive', 'not-run', 'not-finished'],
    ['warned', 'warned', undefined],
    ['inconclusive', 'inconclusive', undefined],
    ['not-run', 'passed', undefined],
  ] as const)('from %s to %s is %s', (before, after, kind) => {
    const of = (verdict: typeof before | typeof after) =>
      createConformanceResults({ scenarios: [createCheckResult({ verdict })] })
    const { changes } = createDifference(of(before), of(after))
    expect(changes.map((change) => change.kind)).toEqual(kind === undefined ? [] : [kind])
  })
})
