import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entryOf } from '#test/conformance/mutation/generated/evaluate-mutants.ts'
import {
  findStaleExclusions,
  parseExcludedMutants,
} from '#test/conformance/mutation/generated/excluded-mutants.ts'
import { placeMutants } from '#test/conformance/mutation/generated/instrument-code.ts'
import { createHelpers } from '#test/conformance/mutation/generated/own-operators.ts'
import {
  type GeneratedOutcome,
  sampleMutants,
} from '#test/conformance/mutation/generated/run-generated.ts'
import { formatResult, scoreOf } from '#test/conformance/mutation/generated/score.ts'
import { findClosedComparisons } from '#test/conformance/mutation/generated/unobservable-mutants.ts'
import {
  type DeclarationName,
  findUsedDeclarations,
} from '#test/conformance/mutation/generated/used-constants.ts'
import { runNode } from '#test/support/processes.ts'
import { root } from '#test/support/repository.ts'

const mutantsOf = async (content: string) =>
  (await placeMutants([{ name: 'core/x.ts', content }])).mutants

const replacements = async (operator: string, content: string) =>
  (await mutantsOf(content))
    .filter((mutant) => mutant.operator === operator)
    .map(({ replacement }) =>
      replacement.replaceAll(/\s+/g, ' ').replaceAll('globalThis.testbedMutation.', ''),
    )

describe('an operator', () => {
  it.each([
    ['ConditionalExpression', 'if (late) refuse()', ['true', 'false']],
    ['EqualityOperator', 'a < b', ['a <= b', 'a >= b']],
    ['MethodExpression', 'list.some(isKnown)', ['list.every(isKnown)']],
    ['LenientComparison', 'a === b', ['isPrefix(a, b)', 'equalsIgnoringCase(a, b)']],
    ['LenientComparison', 'a !== b', ['!isPrefix(a, b)', '!equalsIgnoringCase(a, b)']],
    ['LenientComparison', 'a === "://"', ['isPrefix(a, "://")']],
    ['LenientComparison', 'a === null || a.length === b || a === 3', []],
    ['NumberByOne', 'f(60, 0)', ['61', '59', '1']],
    ['NumberByOne', 'f({ status: 200 })', ['201']],
    ['DropSchemaMember', 'z.object({ a: x, b: y })', ['{ b: y }', '{ a: x }']],
    ['ObjectLiteral', 'f({ ok: false, reason, failures })', ['{}']],
    ['ObjectLiteral', 'f({ ok: true, reason })', ['{}']],
    ['DropSchemaMember', 'f({ a: x, b: y })', []],
    ['DropSchemaMember', "z.looseObject({ a: parameter('a'), b: y })", ["{ a: parameter('a') }"]],
    ['DropListMember', 'f([a, b])', ['[b]', '[a]']],
    ['SkipCall', 'requireKey(key)', ['undefined']],
    ['SkipCall', 'await spend(code)', ['undefined']],
    ['SkipAwait', 'await spend(code)', ['leave(async () => await spend(code))']],
    ['KeepAnswer', 'const x = await find(a)', ['await keep(async () => await find(a))']],
    ['KeepAnswer', 'const x = await providers.readCurrent()', []],
    ['IgnoreLookUp', 'const x = await store.find(a)', ['undefined']],
    ['IgnoreLookUp', 'const x = await store.save(a)', []],
    ['IgnoreQuestion', 'const x = set.has(a)', ['true', 'false']],
  ])('%s changes %s', async (operator, content, expected) => {
    expect(await replacements(operator, content)).toEqual(expected)
  })

  it.each([
    ['a sentence', "f('the code has expired')", ['SkipCall']],
    [
      'a documentation member',
      "f({ a, description: list.some(isKnown) ? 'a' : 'b' })",
      ['SkipCall', 'ObjectLiteral'],
    ],
    [
      'the documented answers of a route',
      'f({ responses: { 200: { body: g({ a, b }) } }, errors: [a, b], handle: () => g() })',
      ['SkipCall', 'ObjectLiteral', 'ArrowFunction'],
    ],
    ['a schema for the documentation', 'const zRpcMessage = z.object({ a, b })', []],
    ['the text of a rule', "f({ statement: 'x', rule: 'a.b', path: 'iat' })", ['SkipCall']],
    ['a log', "runtime.log.warn('a', { b: [c, d] })", []],
    ['a note of a rule', "note('a')", []],
    ['the record of verdicts', 'recordVerdicts({ checked: list.filter(isKnown) })', []],
    ['the arguments of an error', "f.error('a', { b: [c, d] })", ['SkipCall']],
    ['a log of a level', "log[late ? 'warn' : 'info']({ a: [b, c] }, 'a')", []],
    ['what an issuer sends its own Connector', 'const zMandate = z.object({ a: x, b: y })', []],
    ['what an explanation shows', 'function shorten(a) { return a < b ? a : [] }', []],
    ['what no document describes', 'function capitalize(a) { return a < b ? a : [] }', []],
    ['an option of the wallet', 'function reactionIn(a) { return a < b ? a : [] }', []],
    ['what an unset option falls back to', "const placesOfEnvironment = { a: ['b', 'c'] }", []],
    ['the prompt for a PIN', 'function pinPromptOf(a) { return a < b ? a : [] }', []],
    ['a cache', 'f({ remember: a < b })', ['SkipCall', 'ObjectLiteral']],
    ['a preference', "f({ accept: 'text/html' })", ['SkipCall', 'ObjectLiteral']],
    ['a list for people', 'checked.push([a, b])', []],
    [
      'a place of a failure',
      "f({ path: ['a', 'b'], message: 'a' })",
      ['SkipCall', 'ObjectLiteral'],
    ],
    [
      'the place and the words of a broken refinement',
      "f({ path: ['a', 'b'], error: 'a' })",
      ['SkipCall'],
    ],
    ['the place of a verdict', "report(a, b, 'a')", ['SkipCall']],
    ['markup', 'html`<p>a</p>`', []],
    ['the message of an error', "throw new TypeError('a')", ['CallExpression']],
    [
      'a function for the words of a reason',
      'function f(a) { return a < 1 }\ng = { reason: f(2) }',
      [],
    ],
    ['the reason of a failure', "f({ ok: false, reason: 'a' })", ['SkipCall', 'BooleanLiteral']],
    ['the cause of an error', "throw new TypeError('a', { cause: a < b })", []],
    ['the sentence of a failed login', "const causes = [['a', 'b']]", []],
    [
      'the choice of a message',
      "f(late ? 'it has expired' : a < b ? 'it has begun' : 'it is unknown')",
      ['SkipCall'],
    ],
    [
      'a part of a message',
      `const names = list.filter(isKnown)\nf(\`without the claims \${names}\`)`,
      ['SkipCall'],
    ],
    ['the name of an error', "class LateError extends Error { name = 'LateError' }", []],
    [
      'the end of a function',
      'function f() { try { return g() } catch { return undefined } }',
      ['BlockStatement', 'BlockStatement'],
    ],
  ])('does not change %s', async (_what, content, operators) => {
    const found = (await mutantsOf(content)).map(({ operator }) => operator)
    expect(found).toEqual(operators)
  })

  it.each([
    ['the instant at which something expires', 'EqualityOperator', 'exp <= now', ['exp > now']],
    [
      'an instant of a clock',
      'EqualityOperator',
      'clock.seconds() > end',
      ['clock.seconds() <= end'],
    ],
    [
      'a limit that a system sets itself',
      'EqualityOperator',
      'size > largestBody',
      ['size <= largestBody'],
    ],
    ['a tolerance', 'NumberByOne', 'const skewSeconds = 60', []],
    ['the end of a tolerance', 'EqualityOperator', 'age < skewSeconds', ['age >= skewSeconds']],
    [
      'the limit of a length',
      'ConditionalExpression',
      'if (did.length > longestDid) f()',
      ['true'],
    ],
    ['its other side', 'ConditionalExpression', 'if (x.length <= longestX) f()', ['false']],
    ['the value of a limit', 'NumberByOne', 'const mostHops = 8', []],
    ['a limit by another name', 'NumberByOne', 'f({ maximumAttempts: 3 })', []],
    ['a lifetime', 'NumberByOne', 'const pinLifetime = 60', []],
    ['seconds in milliseconds', 'NumberByOne', 'f(x / 1000)', []],
    ['the longest string', 'NumberByOne', 'z.string().min(1).max(256)', ['2', '0']],
  ])('does not move %s by one', async (_what, operator, content, expected) => {
    expect(await replacements(operator, content)).toEqual(expected)
  })

  it.each([
    ['a value that is also decided by', `const a = b < c\nif (a) f(\`it is \${a} now\`)`, '<='],
    ['the choice between a sentence and a code', "f(a < b ? 'it has expired' : 'expired')", '<='],
    ['a return before the end', 'function f() { if (a) { return undefined } return g() }', '{}'],
    ['a return in a loop', 'function f() { for (const a of b) { return undefined } }', '{}'],
    ['another name', "class A { name = 'Stack' }", '""'],
  ])('changes %s', async (_what, content, replacement) => {
    const found = (await mutantsOf(content)).map((mutant) => mutant.replacement)
    expect(found.join('\n')).toContain(replacement)
  })

  it.each([
    ['left out', 'f({ c, ...(a === undefined ? {} : { b: a }) })', ['true']],
    [
      'that replaces another',
      'f({ b: 1, ...(a === undefined ? {} : { b: a }) })',
      ['true', 'false'],
    ],
    ['with another value', 'f({ ...(a === undefined ? {} : { b: c }) })', ['true', 'false']],
  ])('writes a member %s as undefined', async (_what, content, expected) => {
    expect(await replacements('ConditionalExpression', content)).toEqual(expected)
  })

  it('changes the rule next to its text', async () => {
    const rule = "f({ statement: 'x', rule: 'a.b', path: 'iat', evaluate: () => a < b })"
    expect(await replacements('EqualityOperator', rule)).toEqual(['a <= b', 'a >= b'])
    expect(await replacements('StringLiteral', rule)).toEqual([])
  })
})

describe('the id of a mutant', () => {
  const body = 'const check = () => 1 < 2'

  it('does not change with its line or with other files', async () => {
    const ids = async (files: Parameters<typeof placeMutants>[0]) =>
      (await placeMutants(files)).mutants
        .filter(({ file }) => file === 'core/x.ts')
        .map(({ id }) => id)
    const moved = `// moved\n\n${body}`
    expect(await ids([{ name: 'core/x.ts', content: body }])).toEqual(
      await ids([
        { name: 'core/a.ts', content: 'const a = 1 < 2' },
        { name: 'core/x.ts', content: moved },
      ]),
    )
  })

  it('distinguishes equal changes in one function and in two', async () => {
    const content = 'const f = () => [a < b, a < b]\nconst g = () => a < b'
    const ids = (await mutantsOf(content)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('switches the mutant in the source', async () => {
    const { sources, mutants } = await placeMutants([
      { name: 'core/x.ts', content: 'const f = (a, b) => a < b' },
    ])
    const { id } = mutants.find(({ replacement }) => replacement === 'a >= b') ?? {}
    const run = new Function(
      'active',
      `${sources['core/x.ts']}
      stryNS_9fa48().activeMutant = active; return f(1, 2)`,
    )
    expect([run(undefined), run(id)]).toEqual([true, false])
    run(undefined)
  })
})

// A hook for modules stays in its process, so this one needs a separate process.
const isolation = `
import { readFileSync } from 'node:fs'
import { placeMutants } from '#test/conformance/mutation/generated/instrument-code.ts'
import { separatePart } from '#test/conformance/mutation/generated/separate-part.ts'
const file = 'core/crypto/base64url.ts'
const { sources, mutants } = await placeMutants([{ name: file, content: readFileSync(file, 'utf8') }])
const { id } = mutants.find(
  ({ operator, within }) => operator === 'BlockStatement' && within === 'decodeBase64url',
)
const part = separatePart(sources, [])
const ofPart = await part.load(file)
const ofKit = await import('#core/crypto/base64url.ts')
const decode = ({ decodeBase64url }) => decodeBase64url('YQ')?.toString() ?? null
part.attribute('T01')
const correct = [decode(ofPart), decode(ofKit)]
part.activate(id, 10)
const mutated = [decode(ofPart), decode(ofKit)]
const isExecuted = part.isExecuted()
part.activate()
const executedBy = Object.keys(part.executedByChecks()).filter((check) => part.executedByChecks()[check][id])
console.log(JSON.stringify({ correct, mutated, isExecuted, executedBy, after: decode(ofPart) }))
`

it('a mutant of core changes the part under test and not the kit', async () => {
  const { stdout } = await runNode(['--input-type=module', '--eval', isolation])
  expect(JSON.parse(stdout)).toEqual({
    correct: ['a', 'a'],
    mutated: [null, 'a'],
    isExecuted: true,
    executedBy: ['T01'],
    after: 'a',
  })
})

it('a lenient comparison of values that the compiler knows is not a mutant', () => {
  const files = ['core/trust/trust-chain.ts', 'core/power/power.ts']
  const isClosed = findClosedComparisons(root, files)
  const mutantOf = (file: string, original: string) => ({
    file,
    original,
    start: readFileSync(join(root, file), 'utf8').indexOf(original),
    operator: 'LenientComparison',
    replacement: 'HELPERS.isPrefix(LEFT, RIGHT)',
  })
  expect(isClosed(mutantOf('core/trust/trust-chain.ts', "issuerType === 'RTAO'"))).toBe(true)
  expect(isClosed(mutantOf('core/power/power.ts', 'allowed === wanted'))).toBe(false)
})

describe('a value that is computed when its module loads', () => {
  const file = 'core/crypto/jwk.ts'
  const required = { file, name: 'requiredMembers' }
  const usedAfter = (
    executedByChecks: readonly DeclarationName[],
    executedAtLoad: readonly DeclarationName[] = [],
    plan: 'tir' | 'verifier' = 'tir',
  ) =>
    findUsedDeclarations({
      entry: entryOf(plan),
      services: [plan],
      isMutated: (path) => path.startsWith('core/') || path.startsWith(`services/${plan}/`),
      executedByChecks,
      executedAtLoad,
    })
  const caller = { file, name: 'canonicalJwk' }
  const callerOfCaller = { file, name: 'jwkThumbprint' }

  it('is used by a function that a check executes', () => {
    expect(usedAfter([])(required)).toBe(false)
    expect(usedAfter([caller])(required)).toBe(true)
    expect(usedAfter([callerOfCaller])(required)).toBe(false)
  })

  it('is used by a function that is executed when a module loads', () => {
    expect(usedAfter([callerOfCaller], [caller])(required)).toBe(true)
  })

  it('is not used by the documentation of a route', () => {
    const answer = { file: 'services/tir/domain/issuers.ts', name: 'zIssuerNode' }
    const list = { file: 'services/tir/routes/explorer.ts', name: 'exploreIssuers' }
    expect(usedAfter([list])(answer)).toBe(false)
  })

  it('is not used by the text of a rule', () => {
    const folder = 'core/lear-credential'
    const rules = { file: `${folder}/issuer-rules.ts`, name: 'issuerRules' }
    const verify = { file: `${folder}/verify-lear-credential.ts`, name: 'verifyLearCredential' }
    const suites = { file: 'core/crypto/suites.ts', name: 'registeredSuites' }
    expect(usedAfter([verify], [], 'verifier')(suites)).toBe(false)
    expect(usedAfter([verify, rules], [], 'verifier')(suites)).toBe(true)
  })

  it('is used by a route only if a check executes its handler', () => {
    const route = { file: 'services/tir/routes/explorer.ts', name: 'exploreIssuers' }
    const router = { file: 'services/tir/create-tir-service.ts', name: 'createTirService' }
    expect(usedAfter([router])(route)).toBe(false)
    expect(usedAfter([router, route])(route)).toBe(true)
  })

  it('is used by modules without mutants, and by another value', () => {
    const isUsed = usedAfter([])
    expect(isUsed({ file: 'core/did/did-org.ts', name: 'didPrefixes' })).toBe(true)
    const address = { file: 'core/ethereum/account.ts', name: 'zAddress' }
    expect(isUsed(address)).toBe(true)
  })
})

describe('lenient comparisons', () => {
  it.each([
    ['a prefix', 'abc', 'ab', true, false],
    ['another case', 'AB', 'ab', false, true],
    ['an empty text', 'ab', '', false, false],
    ['a number', 1, 1, true, true],
    ['another type', '1', 1, false, false],
  ])('of %s', (_what, one, other, asPrefix, ignoringCase) => {
    const helpers = createHelpers()
    expect(helpers.isPrefix(one, other)).toBe(asPrefix)
    expect(helpers.equalsIgnoringCase(one, other)).toBe(ignoringCase)
  })

  it('have no effect if no strings are compared', () => {
    const helpers = createHelpers()
    helpers.isPrefix(1, 2)
    expect(helpers.isEffective()).toBe(false)
    helpers.isPrefix('a', 'b')
    expect(helpers.isEffective()).toBe(true)
  })
})

const outcome = (verdict: GeneratedOutcome['verdict'], id: string = verdict): GeneratedOutcome => ({
  id,
  verdict,
  file: 'core/x.ts',
  line: 3,
  start: 40,
  within: 'check',
  operator: 'EqualityOperator',
  original: 'a < b',
  replacement: 'a <= b',
  isAtLoad: false,
  executedBy: ['T01', 'T02'],
})

describe('the score', () => {
  const row = 'the limit is a constant that is never reached'
  const excluded = [{ id: 'survived', file: 'core/x.ts', kind: 'equivalent', why: row }] as const

  it('is the share of killed mutants, without and with the excluded ones', () => {
    const outcomes = [
      ...Array.from({ length: 8 }, () => outcome('killed')),
      outcome('survived'),
      outcome('undecided'),
      outcome('not-started'),
      outcome('not-executed'),
    ]
    expect(scoreOf(outcomes, excluded)).toEqual({
      counted: 10,
      killed: 8,
      excluded: 1,
      raw: 0.8,
      adjusted: 8 / 9,
      isExcludedTooOften: false,
    })
  })

  it('does not allow more than 15 % excluded mutants', () => {
    const outcomes = [...Array.from({ length: 5 }, () => outcome('killed')), outcome('survived')]
    expect(scoreOf(outcomes, excluded)).toMatchObject({
      excluded: 0,
      adjusted: 5 / 6,
      isExcludedTooOften: true,
    })
  })

  it('counts an excluded mutant that was killed as killed', () => {
    const killed = { ...outcome('killed'), id: 'survived' }
    expect(scoreOf([killed], excluded)).toMatchObject({ killed: 1, excluded: 0 })
  })

  it('follows the survivors with their place, change and checks', () => {
    const notReached = { 'core/y.ts': 2 }
    const outcomes = [outcome('killed'), outcome('survived', 'survived'), outcome('undecided')]
    const result = {
      plan: 'tir',
      seed: 's',
      generated: 9,
      reachable: 7,
      notReached,
      outcomes,
    } as const
    const text = formatResult(result, excluded)
    expect(text).toContain('core/x.ts:3  EqualityOperator in check')
    expect(text).toContain('- a < b\n        + a <= b\n          executed by T01 T02')
    expect(text).toContain('core/y.ts')
    expect(text).not.toMatch(/^survived/m)
  })
})

describe('excluded mutants', () => {
  const heading = 'id\tfile\tkind\twhy'
  const row = '01234567\tcore/crypto/jws.ts\tequivalent\tthe list has exactly one member here'

  it('are rows with a reason', () => {
    expect(parseExcludedMutants(`${heading}\n${row}\n`)).toEqual([
      {
        id: '01234567',
        file: 'core/crypto/jws.ts',
        kind: 'equivalent',
        why: 'the list has exactly one member here',
      },
    ])
  })

  it.each([
    ['another heading', row],
    ['a row twice', `${heading}\n${row}\n${row}`],
    ['another kind', `${heading}\n${row.replace('equivalent', 'hard')}`],
    ['no reason', `${heading}\n${row.replace(/the list.*/, '')}`],
  ])('reject %s', (_what, text) => {
    expect(() => parseExcludedMutants(text)).toThrow(TypeError)
  })

  it('are stale if no operator makes them', async () => {
    expect(await findStaleExclusions(parseExcludedMutants(`${heading}\n${row}`))).toHaveLength(1)
  })
})

describe('a sample', () => {
  const mutants = Array.from({ length: 200 }, (_, index) => ({ id: index.toString(16) }))

  it('is the same for the same seed, in any order', () => {
    expect(sampleMutants(mutants.toReversed(), 'a', 20)).toEqual(sampleMutants(mutants, 'a', 20))
    expect(sampleMutants(mutants, 'b', 20)).not.toEqual(sampleMutants(mutants, 'a', 20))
  })

  it('keeps its mutants if others appear', () => {
    const fewer = sampleMutants(mutants.slice(0, 150), 'a', 150)
    const kept = sampleMutants(mutants, 'a', 200).filter((mutant) => fewer.includes(mutant))
    expect(kept).toEqual(fewer)
  })
})
