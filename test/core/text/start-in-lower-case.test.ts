import { expect, it } from 'vitest'
import { startInLowerCase } from '#core/text/start-in-lower-case.ts'

it.each([
  ['The JWT has no vc claim.', 'the JWT has no vc claim.'],
  ['A byte is missing.', 'a byte is missing.'],
  ['VerifiableCredential is missing.', 'VerifiableCredential is missing.'],
  ['JWT is the typ.', 'JWT is the typ.'],
  ['sub is missing.', 'sub is missing.'],
])('%s reads %s in the middle of a sentence', (sentence, expected) => {
  expect(startInLowerCase(sentence)).toBe(expected)
})
