import { describe, expect, it } from 'vitest'
import { describeDuration, describeModifications } from '#testbed/console/frame/modifications.ts'

describe('the description of modifications', () => {
  it('names the environment if there are several', () => {
    const modifications = [
      { kind: 'clock', seconds: -3600 },
      { kind: 'fault', environment: 'pro', name: 'tir-down' },
      { kind: 'management', environment: 'pre', failure: 'slow' },
    ] as const
    expect(describeModifications('en', modifications, 2)).toEqual([
      'The clock is 1 hour behind.',
      'pro: The fault tir-down is on.',
      'pre: The management API fails (slow).',
    ])
    expect(describeModifications('es', modifications, 1)).toEqual([
      'El reloj va 1 hora atrasado.',
      'El fallo tir-down está activo.',
      'La API de gestión falla (slow).',
    ])
  })

  it.each([
    [0, ''],
    [59, '59 seconds'],
    [3600, '1 hour'],
    [90_061, '1 day, 1 hour'],
    [366 * 86_400, '366 days'],
  ])('shows %i s in its two largest units', (seconds, text) => {
    expect(describeDuration('en', seconds)).toBe(text)
  })
})
