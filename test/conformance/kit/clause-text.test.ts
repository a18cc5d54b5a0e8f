import { describe, expect, it } from 'vitest'
import { clauseText } from '#conformance/kit/describe-check.ts'

describe('clauseText', () => {
  it.each([
    ['OpenID4VCI 1.0, 8.3.1.2', 'OpenID4VCI 1.0, 8.3.1.2 Credential Request Errors'],
    ['EIP-155, Specification', 'EIP-155, Specification'],
    ['RFC 1, 2', 'RFC 1, 2'],
  ])('tells %s as %s', (clause, text) => {
    expect(clauseText(clause)).toBe(text)
  })
})
