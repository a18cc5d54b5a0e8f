import { describe, expect, it } from 'vitest'
import { createTrustWorld } from '#conformance/world/create-trust-world.ts'
import { type CredentialQuery, evaluateDcqlQuery } from '#core/oid4vp/dcql-query.ts'

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

  it('wants one of the values, where a claim names some', () => {
    const employeeId = '$.vc.credentialSubject.mandate.mandatee.employeeId'
    const withValues = (path: string, values: (string | number)[]) =>
      matches({ claims: [{ path: [path], values }] })
    expect(withValues(employeeId, ['EMP-0', 'EMP-1'])).toEqual([0])
    expect(withValues(employeeId, ['EMP-0'])).toEqual([])
    expect(withValues('$.vc.credentialSubject.age', [3])).toEqual([1])
    expect(withValues('$.vc.credentialSubject.age', ['3'])).toEqual([])
  })

  it('wants every path of every claim', () => {
    expect(matches(claims('$.vc.credentialSubject.id', '$.vc.credentialSubject.age'))).toEqual([1])
    expect(matches({ claims: [{ path: ['$.iss', '$.vc.credentialSubject.mandate'] }] })).toEqual([
      0,
    ])
  })

  it('tells the matches of each element apart, and passes over what is no credential', () => {
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
