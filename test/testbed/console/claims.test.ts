import { expect, it } from 'vitest'
import { explainClaims } from '#testbed/console/claims.ts'

it('explains known members by the nearest text, and no other name', () => {
  const mandatee = { email: 'ana@example.org', 'x-badge': 7 }
  const content = {
    sub: 'ana',
    constructor: 1,
    vc: { credentialSubject: { mandate: { mandatee } } },
  }
  expect(explainClaims(content, 'en').map(({ path, explanation }) => [path, explanation])).toEqual([
    ['sub', expect.stringContaining('Subject')],
    ['constructor', undefined],
    ['vc.credentialSubject.mandate.mandatee.email', 'Email address of the person'],
    ['vc.credentialSubject.mandate.mandatee.x-badge', 'The person who acts for the organization'],
  ])
})
