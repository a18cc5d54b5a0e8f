import { describe, expect, it } from 'vitest'
import { findDocumentedRefusal } from '#conformance/plans/issuer/refusals.ts'
import type { HttpAnswer } from '#scenarios/harness/http-client.ts'

const message = 'The requested powers are not authorized for the organization'

function find(status: number, json: unknown) {
  const url = 'http://127.0.0.1/issuance/representative'
  const text = json === undefined ? '' : JSON.stringify(json)
  const answer: Partial<HttpAnswer> = { method: 'POST', url, status, json, text }
  return findDocumentedRefusal(answer as HttpAnswer, 'The request', message).kind
}

describe('a documented refusal', () => {
  it.each([
    ['in a member', { message }],
    ['deeper down', { error: { details: [{ text: message }] } }],
    ['with more behind it', { detail: `${message}: Onboarding` }],
    ['by itself', message],
  ])('says its message %s', (_, json) => {
    expect(find(400, json)).toBe('held')
  })

  it.each([
    ['another message', 400, { message: 'Bad request' }],
    ['no body', 400, undefined],
    ['another status', 403, { message }],
    ['a success', 200, { message }],
  ])('is none with %s', (_, status, json) => {
    expect(find(status, json)).toBe('broken')
  })

  it('is not decided by an outage', () => {
    expect(find(500, { message })).toBe('inconclusive')
  })
})
