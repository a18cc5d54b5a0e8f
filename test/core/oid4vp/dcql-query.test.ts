import { DcqlQuery, runDcqlQuery } from 'dcql'
import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import {
  type CredentialQuery,
  evaluateDcqlQuery,
  matchesCredentialQuery,
} from '#core/oid4vp/dcql-query.ts'
import { fc } from '#test/support/fast-check.ts'
import { unsignedJwt } from '#test/support/verifier.ts'

const world = createTrustWorld()
const payload = world.credentialPayload()
const lear = world.issue(payload)
const other = world.issue({
  ...payload,
  vc: {
    ...payload.vc,
    type: ['VerifiableCredential', 'Other'],
    credentialSubject: { id: 'x', age: 3 },
  },
})

const matches = (query: Partial<CredentialQuery>, credentials = [lear, other]) =>
  evaluateDcqlQuery(
    { credentials: [{ id: 'q', format: 'jwt_vc_json', ...query }] },
    credentials,
  ).map((each) => each.matches)[0]

const claims = (...paths: string[]) => ({ claims: paths.map((path) => ({ path: [path] })) })

// @row 1.resources-and-their-fields/presentation-authorization-request.7
describe('evaluateDcqlQuery', () => {
  it('finds credentials by type', () => {
    expect(matches({ meta: { vct_values: ['OrgPortalLearCredential'] } })).toEqual([0])
    expect(matches({ meta: { vct_values: ['Nothing', 'Other'] } })).toEqual([1])
    expect(matches({ meta: { vct_values: ['VerifiableCredential'] } })).toEqual([0, 1])
    expect(matches({ meta: { vct_values: ['Nothing'] } })).toEqual([])
    expect(matches({})).toEqual([0, 1])
  })

  it.each([
    ['$.vc.credentialSubject.mandate.power', [0]],
    ['$.vc.credentialSubject.mandate.power[0].action[0]', [0]],
    ['$.vc.credentialSubject.mandate.power[*].domain', [0]],
    ["$['vc']['credentialSubject']['id']", [0, 1]],
    ['$.vc.credentialSubject.age', [1]],
    ['$..employeeId', [0]],
    ['$.vc.credentialSubject.mandate.power[1]', []],
    ['$.vc.credentialSubject.nothing', []],
    ['$.credentialSubject', []],
    ['vc.credentialSubject', []],
    ['$.vc.', []],
    ['$.vc[\'credentialSubject\']["mandate"].power[0:1]', [0]],
    ['$.vc.credentialSubject.mandate.power[-1:]', []],
    ['$.vc.credentialSubject.mandate.power[: -5]', []],
    ['$[?@.x]', []],
    ["$.vc['what?']", []],
    [`$${'..*'.repeat(20)}`, []],
    [`$.vc${'[*,*,*,*,*,*]'.repeat(10)}`, []],
    ['', []],
  ])('claim path %s', (path, expected) => {
    expect(matches(claims(path))).toEqual(expected)
  })

  it('matches nothing if the paths together visit too many values of a credential', () => {
    let nested: unknown = Array.from({ length: 100 }, () => 0)
    for (let depth = 0; depth < 28; depth++) nested = [nested]
    const credential = unsignedJwt({ alg: 'ES256K' }, { nested }, 'AA')
    const with28Levels = (...paths: string[]) => matches(claims(...paths), [credential])
    expect(with28Levels('$..*..*')).toEqual([0])
    expect(with28Levels('$..*..*..*')).toEqual([0])
    expect(with28Levels('$..*..*..*..*')).toEqual([])
    expect(with28Levels(...Array.from({ length: 60 }, () => '$..*..*'))).toEqual([])
    expect(matches(claims('$..*..*..*..*'))).toEqual([0])
  })

  it('requires one of the values if a claim lists values', () => {
    const employeeId = '$.vc.credentialSubject.mandate.mandatee.employeeId'
    const withValues = (path: string, values: (string | number)[]) =>
      matches({ claims: [{ path: [path], values }] })
    expect(withValues(employeeId, ['EMP-0', 'EMP-1'])).toEqual([0])
    expect(withValues(employeeId, ['EMP-0'])).toEqual([])
    expect(withValues('$.vc.credentialSubject.age', [3])).toEqual([1])
    expect(withValues('$.vc.credentialSubject.age', ['3'])).toEqual([])
  })

  it('requires every path of every claim', () => {
    expect(matches(claims('$.vc.credentialSubject.id', '$.vc.credentialSubject.age'))).toEqual([1])
    expect(matches({ claims: [{ path: ['$.iss', '$.vc.credentialSubject.mandate'] }] })).toEqual([
      0,
    ])
  })

  it('reports the matches of each element and skips values that are not credentials', () => {
    const query = {
      credentials: [
        { id: 'a', format: 'jwt_vc_json', meta: { vct_values: ['Other'] } },
        { id: 'b', format: 'jwt_vc_json', meta: { vct_values: ['OrgPortalLearCredential'] } },
      ],
    } as const
    const given = {
      credentials: query.credentials.map((each) => ({
        ...each,
        meta: { vct_values: [...each.meta.vct_values] },
      })),
    }
    expect(evaluateDcqlQuery(given, ['nothing', other, lear])).toEqual([
      { queryId: 'a', matches: [1] },
      { queryId: 'b', matches: [2] },
    ])
  })
})

const types = ['VerifiableCredential', 'LEARCredential', 'OrgPortalLearCredential', 'Other']
// Few names, so that generated paths meet generated payloads; some that need quoting or are traps.
const names = [
  'vc',
  'id',
  'power',
  'action',
  'a b',
  "it's",
  'x"y',
  'ñ',
  'constructor',
  'length',
  '0',
]

const name = fc.constantFrom(...names)

function payloadsWith(name: fc.Arbitrary<string>, leaf: fc.Arbitrary<unknown>) {
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value
  const members = fc.dictionary(name, json, { noNullPrototype: true })
  return fc
    .tuple(fc.subarray(types, { minLength: 1 }), members)
    .map(([type, given]) => ({ ...given, vc: { ...(given.vc as object | undefined), type } }))
}

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean())
const payloads = payloadsWith(name, fc.oneof(scalar, fc.constant(null)))

// The dcql package treats the properties of JavaScript arrays as members, and has no null.
const plainName = name.filter((each) => !(each in ['']))
const plainPayloads = payloadsWith(plainName, scalar)

const nameStep = fc.record({ kind: fc.constant('name' as const), name })
const indexStep = (min: number) =>
  fc.record({ kind: fc.constant('index' as const), index: fc.integer({ min, max: 3 }) })
const wildcardStep = fc.constant({ kind: 'wildcard' } as const)
const step: fc.Arbitrary<PathStep> = fc.oneof(
  { weight: 5, arbitrary: nameStep },
  { weight: 2, arbitrary: indexStep(-3) },
  wildcardStep,
  fc.record({
    kind: fc.constant('slice' as const),
    start: fc.nat(3),
    end: fc.nat(3),
  }),
  fc.record({ kind: fc.constant('descendants' as const), name }),
)
const spelling = fc.constantFrom('dot' as const, 'single' as const, 'double' as const)

describe('the query evaluator compared with other implementations', () => {
  it('finds the same values as an independent implementation of RFC 9535', () => {
    let matched = 0
    fc.assert(
      fc.property(
        payloads,
        fc.array(step, { minLength: 1, maxLength: 5 }),
        spelling,
        (payload, steps, spelled) => {
          const path = printJsonPath(steps, spelled)
          const query = { id: 'q', format: 'jwt_vc_json' as const, claims: [{ path: [path] }] }
          const found = selectByPath(payload, steps).length > 0
          if (found) matched++
          expect(matchesCredentialQuery(query, payload)).toBe(found)
        },
      ),
      { numRuns: 1500 },
    )
    // A run without any match would prove nothing.
    expect(matched).toBeGreaterThan(100)
  })

  it('selects the same credentials as dcql for the equivalent query', () => {
    let matched = 0
    const dcqlStep = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('name' as const), name: plainName }),
      },
      { weight: 2, arbitrary: indexStep(0) },
      wildcardStep,
    )
    fc.assert(
      fc.property(
        fc.array(plainPayloads, { minLength: 1, maxLength: 3 }),
        fc.option(fc.subarray(types, { minLength: 1 })),
        fc.array(fc.array(dcqlStep, { minLength: 1, maxLength: 4 }), { maxLength: 2 }),
        spelling,
        (held, accepted, paths, spelled) => {
          // In JSONPath a wildcard also selects the members of objects, in DCQL only those of lists.
          // The package treats an empty list as a match, against OpenID4VP 1.0, 7.1.1.
          fc.pre(!held.some((payload) => paths.some((each) => wildcardDiffers(payload, each))))
          const [ours] = evaluateDcqlQuery(
            {
              credentials: [
                {
                  id: 'q',
                  format: 'jwt_vc_json',
                  ...(accepted && { meta: { vct_values: accepted } }),
                  claims: paths.map((each) => ({ path: [printJsonPath(each, spelled)] })),
                },
              ],
            },
            held.map((payload) => unsignedJwt({ alg: 'ES256K' }, payload, 'AAAA')),
          )
          const theirs = chooseWithDcql(held, accepted ?? types, paths)
          matched += theirs.length
          expect(ours?.matches).toEqual(theirs)
        },
      ),
      { numRuns: 600 },
    )
    expect(matched).toBeGreaterThan(50)
  })
})

function wildcardDiffers(payload: object, path: readonly PathStep[]): boolean {
  return path.some(
    ({ kind }, at) =>
      kind === 'wildcard' &&
      selectByPath(payload, path.slice(0, at)).some((node) =>
        Array.isArray(node) ? node.length === 0 : typeof node === 'object' && node !== null,
      ),
  )
}

/** Positions of the credentials that the dcql package finds to answer the query. */
function chooseWithDcql(
  held: readonly { readonly vc: { readonly type: string[] } }[],
  accepted: readonly string[],
  paths: readonly (readonly PathStep[])[],
): number[] {
  const claims = paths.map((path) => ({
    path: path.map((each) =>
      each.kind === 'name' ? each.name : each.kind === 'index' ? each.index : null,
    ),
  }))
  const query = DcqlQuery.parse({
    credentials: [
      {
        id: 'q',
        format: 'jwt_vc_json',
        meta: { type_values: accepted.map((type) => [type]) },
        ...(claims.length > 0 && { claims }),
      },
    ],
  } as Parameters<typeof DcqlQuery.parse>[0])
  DcqlQuery.validate(query)
  const result = runDcqlQuery(query, {
    presentation: false,
    credentials: held.map((payload) => ({
      credential_format: 'jwt_vc_json',
      type: payload.vc.type,
      claims: JSON.parse(JSON.stringify(payload)),
      cryptographic_holder_binding: true,
    })),
  })
  const { valid_credentials: valid = [] } = result.credential_matches.q ?? {}
  return (valid ?? []).map(({ input_credential_index: index }) => index)
}

/** A step of a path, from which both a JSONPath text and an evaluation without that text are made. */
type PathStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'slice'; readonly start: number; readonly end: number }
  | { readonly kind: 'descendants'; readonly name: string }

/** The notation of a name: after a dot if RFC 9535 allows it, or in brackets with either quote. */
type Spelling = 'dot' | 'single' | 'double'

const shorthand = /^[A-Za-z_][A-Za-z0-9_]*$/

/** The steps as a JSONPath text (RFC 9535, 2.3 and 2.5). */
function printJsonPath(steps: readonly PathStep[], spelling: Spelling): string {
  const selector = (name: string) =>
    spelling === 'single'
      ? `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
      : JSON.stringify(name)
  const printed = steps.map((step) => {
    if (step.kind === 'index') return `[${step.index}]`
    if (step.kind === 'wildcard') return spelling === 'dot' ? '.*' : '[*]'
    if (step.kind === 'slice') return `[${step.start}:${step.end}]`
    const isShort = spelling === 'dot' && shorthand.test(step.name)
    if (step.kind === 'descendants')
      return isShort ? `..${step.name}` : `..[${selector(step.name)}]`
    return isShort ? `.${step.name}` : `[${selector(step.name)}]`
  })
  return `$${printed.join('')}`
}

/** The values that the steps select, written from RFC 9535 without parsing an expression. */
function selectByPath(root: unknown, steps: readonly PathStep[]): unknown[] {
  return steps.reduce<unknown[]>(
    (nodes, step) => nodes.flatMap((node) => select(node, step)),
    [root],
  )
}

function select(node: unknown, step: PathStep): unknown[] {
  const isObject = typeof node === 'object' && node !== null
  if (step.kind === 'name') {
    const has = isObject && !Array.isArray(node) && Object.hasOwn(node, step.name)
    return has ? [(node as Record<string, unknown>)[step.name]] : []
  }
  if (step.kind === 'wildcard') return isObject ? Object.values(node) : []
  if (step.kind === 'descendants') {
    const own = select(node, { kind: 'name', name: step.name })
    const below = isObject ? Object.values(node).flatMap((child) => select(child, step)) : []
    return [...own, ...below]
  }
  if (!Array.isArray(node)) return []
  if (step.kind === 'slice') return node.slice(step.start, step.end)
  const { index } = step
  const at = index < 0 ? node.length + index : index
  return at >= 0 && at < node.length ? [node[at]] : []
}
