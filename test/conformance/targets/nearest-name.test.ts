import { describe, expect, it } from 'vitest'
import { nearestName } from '#conformance/targets/target-problem.ts'

const names = ['plan', 'name', 'description', 'publicUrl', 'accept-offer', 'timeoutSeconds']

describe('the name that was most likely meant', () => {
  it.each([
    ['nmae', 'name'],
    ['names', 'name'],
    ['publicURL', 'publicUrl'],
    ['public_url', 'publicUrl'],
    ['accept_offer', 'accept-offer'],
    ['acceptOffer', 'accept-offer'],
    ['timeout', undefined],
    ['descripton', 'description'],
    ['x', undefined],
    ['', undefined],
  ])('%j is %j', (name, meant) => {
    expect(nearestName(name, names)).toBe(meant)
  })
})
