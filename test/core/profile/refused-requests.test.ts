import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conditionOf } from '#core/profile/contract-conditions.ts'
import { paragraphOf } from '#core/profile/paragraph.ts'
import { explainRefusedRequest } from '#core/profile/refused-requests.ts'
import { requirements } from '#core/profile/requirements.ts'

const pages = new URL('../../../docs/profile/', import.meta.url)
const headingsOf = (page: string) =>
  [...readFileSync(new URL(page, pages), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    String(heading).replaceAll('`', '').toLowerCase().replaceAll(' ', '-'),
  )

describe('a rejected request', () => {
  const revocation = {
    to: 'issuer',
    url: '/issuance/credential/revoke',
    requestBody: { credential_id: 'urn:uuid:1' },
  }

  it('has the requirement, what was found, and the paragraph', () => {
    const responseBody = { error: 'Not Found', error_description: 'Unknown credential' }
    expect(explainRefusedRequest({ ...revocation, status: 404, responseBody })).toMatchObject({
      rule: 'revocation.known-credential',
      reasons: ['Unknown credential', 'credential_id: urn:uuid:1'],
      paragraph: 'docs/profile/issuer.md#1.errors.5',
    })
  })

  it('names missing members, and shortens long values', () => {
    const found = explainRefusedRequest({
      to: 'issuer',
      url: '/issuance/employee?x=1',
      status: 400,
      requestBody: { power: 'p'.repeat(400) },
      responseBody: {
        detail: 'Missing required data or invalid powers',
        missing: ['email', 'power'],
      },
    })
    expect(found?.reasons[0]).toBe('Missing required data or invalid powers: email, power')
    expect(found?.reasons[1]).toHaveLength('power: '.length + 301)
  })

  it('of the TIR is also a JSON-RPC error with status 200', () => {
    const rejected = { to: 'tir', url: '/v1/jsonrpc', status: 200 }
    const responseBody = { error: { code: -32601, message: 'There is no such method.' } }
    expect(explainRefusedRequest({ ...rejected, responseBody })).toMatchObject({
      rule: 'tir.method',
      reasons: ['There is no such method.'],
    })
    expect(explainRefusedRequest({ ...rejected, responseBody: { result: '0x1' } })).toBeUndefined()
  })

  it.each([
    ['accepted', { ...revocation, status: 200 }],
    ['broken by the service', { ...revocation, status: 500 }],
    ['of another part', { to: 'browser', url: '/', status: 400 }],
  ])('has no requirement if it is %s', (_what, request) => {
    expect(explainRefusedRequest(request)).toBeUndefined()
  })
})

describe('every requirement', () => {
  it.each(requirements.map(({ name, place }) => [name, place]))(
    '%s is in the profile',
    (_, place) => {
      const [page = '', heading = ''] = place.split('#')
      if (place.includes('#')) expect(headingsOf(page)).toContain(heading)
      else expect(paragraphOf(place)).toContain(place)
    },
  )

  it('has its own name', () => {
    const names = requirements.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})

const errors = ['IDidRegistry', 'ITrustedIssuersRegistry'].flatMap((contract) => {
  const source = new URL(`../../../contracts/interfaces/${contract}.sol`, import.meta.url)
  const found = readFileSync(source, 'utf8').matchAll(/^ {4}error (\w+)\(/gm)
  return [...found].map(([, name]) => String(name))
})

/** Only management calls of the operator and one read revert with them; they are not in the profile. */
const withoutParagraph = [
  'DidRegistryZeroAddress',
  'DidRegistryOnboardingNodeAlreadyAuthorized',
  'DidRegistryOnboardingNodeNotAuthorized',
  'TrustedIssuersRegistryRevisionNotFound',
]

describe('a reverted transaction', () => {
  const described = errors.filter((name) => !withoutParagraph.includes(name))
  it.each(described)('has the condition of %s', (name) => {
    const { statement, paragraph } = conditionOf(name)
    expect(statement).not.toBe('The contract accepts the call.')
    const [, page = '', anchor = ''] = /docs\/profile\/([^#]+)#(.+)/.exec(paragraph) ?? []
    const text = readFileSync(new URL(page, pages), 'utf8')
    expect(text.includes(`id="${anchor}"`) || headingsOf(page).includes(anchor)).toBe(true)
  })

  it('of an unknown contract has the general condition', () => {
    expect(conditionOf('constructor')).toEqual({
      statement: 'The contract accepts the call.',
      paragraph: 'docs/profile/transactions.md#2.states-and-transitions.9',
    })
  })
})
