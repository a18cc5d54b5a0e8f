import { describe, expect, it } from 'vitest'
import { nearMissesOf } from '#conformance/kit/near-misses.ts'

describe('near misses of an identifier', () => {
  const changed = (text: string) => nearMissesOf(text).map(({ change }) => change(text))

  it('include its other case, unless it is a UUID', () => {
    expect(changed('a-client')).toContain('A-CLIENT')
    const uuid = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    expect(changed(uuid)).not.toContain(uuid.toUpperCase())
    expect(changed(uuid)).toContain(`${uuid}2`)
  })
})
